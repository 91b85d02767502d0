// expect: toolcontract: a report sink is a callable void(const Report&) noexcept
#include <toolcontract/toolset.hpp>

toolcontract::ReportSink sink = [](const toolcontract::Outcome&) noexcept {};
