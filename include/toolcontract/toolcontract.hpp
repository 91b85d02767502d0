// SPDX-License-Identifier: MIT
/// \file
/// The contract between a model and a tool, in one include: declare a tool once, and its schema, check, result and
/// errors follow.
///
///     #include <toolcontract/toolcontract.hpp>
///     namespace tc = toolcontract;
///     tc::Toolset tools{orders_get(shop)};
///     std::puts(tc::mcp::respond_text(revision, id, tools.call(name, arguments)).c_str());
///
/// Wires for other consumers, stores and the second schema engine have headers of their own.
#pragma once

#include <toolcontract/approval.hpp>
#include <toolcontract/batch.hpp>
#include <toolcontract/call.hpp>
#include <toolcontract/checker.hpp>
#include <toolcontract/content.hpp>
#include <toolcontract/cursor.hpp>
#include <toolcontract/decode.hpp>
#include <toolcontract/document_tool.hpp>
#include <toolcontract/encode.hpp>
#include <toolcontract/envelope.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/error_limits.hpp>
#include <toolcontract/json_schema.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/merge.hpp>
#include <toolcontract/outcome.hpp>
#include <toolcontract/page.hpp>
#include <toolcontract/partial.hpp>
#include <toolcontract/retry.hpp>
#include <toolcontract/retry_after.hpp>
#include <toolcontract/schema.hpp>
#include <toolcontract/section.hpp>
#include <toolcontract/tool.hpp>
#include <toolcontract/toolset.hpp>
#include <toolcontract/upstream.hpp>
#include <toolcontract/wire/claude.hpp>
#include <toolcontract/wire/mcp.hpp>
