#pragma once

#include "base/diagnostic.h"

namespace rch::parsers {

// Text (config-files 0).
inline constexpr Rule kNulByte{
    .name = "nul-byte",
    .severity = Severity::error,
    .summary = "a NUL byte in a text file",
};
inline constexpr Rule kByteOrderMark{
    .name = "byte-order-mark",
    .severity = Severity::warning,
    .summary = "the file starts with a byte order mark",
    .reason = "OpenSM reads it as part of the first word",
};
inline constexpr Rule kTypographicCharacter{
    .name = "typographic-character",
    .severity = Severity::error,
    .summary = "a typographic quote or dash outside a comment",
    .reason = "OpenSM takes it as part of a name or number",
};
inline constexpr Rule kLongLine{
    .name = "long-line",
    .severity = Severity::warning,
    .summary = "a line longer than OpenSM's buffer",
    .reason = "OpenSM splits the line and reads the tail as a new line",
};
inline constexpr Rule kOctalNumber{
    .name = "octal-number",
    .severity = Severity::warning,
    .summary = "a number with a leading zero is octal",
};
inline constexpr Rule kBadNumber{
    .name = "bad-number",
    .severity = Severity::error,
    .summary = "a number was expected and something else stands there",
};
inline constexpr Rule kNumberOutOfRange{
    .name = "number-out-of-range",
    .severity = Severity::error,
    .summary = "a number outside its legal range",
};
inline constexpr Rule kBadGuid{
    .name = "bad-guid",
    .severity = Severity::error,
    .summary = "a GUID that is no 64-bit number, or zero",
};
inline constexpr Rule kGuidWithoutPrefix{
    .name = "guid-without-prefix",
    .severity = Severity::error,
    .summary = "hexadecimal GUID without `0x`",
};
inline constexpr Rule kGuidReadAsDecimal{
    .name = "guid-read-as-decimal",
    .severity = Severity::warning,
    .summary = "a GUID of 16 decimal digits without `0x`",
};

// opensm.conf (config-files 1.1).
inline constexpr Rule kEqualsSign{
    .name = "equals-sign",
    .severity = Severity::warning,
    .summary = "`=` between an option and its value",
    .opensm = "takes the `=` as part of the key, or of the value, where it makes a boolean FALSE",
    .nvidia = "takes the `=` as part of the key, or of the value, though its manual writes one",
    .repair = "write a blank in place of `=`",
};
inline constexpr Rule kHashInQuotes{
    .name = "hash-in-quotes",
    .severity = Severity::warning,
    .summary = "`#` inside an open quote",
    .reason = "the comment starts there all the same",
    .opensm = "cuts the value at the `#` and keeps the open quote",
    .nvidia = "cuts the value at the `#` and keeps the open quote",
    .repair = "write a value without `#`",
};
inline constexpr Rule kUnclosedQuote{
    .name = "unclosed-quote",
    .severity = Severity::warning,
    .summary = "a quote that is not closed on its line",
    .opensm = "keeps the quote as part of the value",
    .nvidia = "keeps the quote as part of the value",
    .repair = "close the quote, or drop it; a value needs none",
};

// Paragraph dialects: port groups, topologies, routing chains (config-files 2-4).
inline constexpr Rule kUnknownKeyword{
    .name = "unknown-keyword",
    .severity = Severity::error,
    .summary = "a keyword that this kind of file does not know",
};
inline constexpr Rule kTextOutsideParagraph{
    .name = "text-outside-paragraph",
    .severity = Severity::error,
    .summary = "text outside every paragraph",
};
inline constexpr Rule kForeignParagraph{
    .name = "foreign-paragraph",
    .severity = Severity::error,
    .summary = "a paragraph of another kind of file",
};
inline constexpr Rule kMissingEnd{
    .name = "missing-end",
    .severity = Severity::error,
    .summary = "a paragraph without its end keyword",
};
inline constexpr Rule kStrayEnd{
    .name = "stray-end",
    .severity = Severity::error,
    .summary = "an end keyword without a paragraph",
};
inline constexpr Rule kKeywordWithColon{
    .name = "keyword-with-colon",
    .severity = Severity::warning,
    .summary = "a paragraph keyword takes no colon",
};
inline constexpr Rule kKeywordCase{
    .name = "keyword-case",
    .severity = Severity::warning,
    .summary = "keywords are written in lower case",
};
inline constexpr Rule kMissingColon{
    .name = "missing-colon",
    .severity = Severity::error,
    .summary = "a qualifier without its colon",
};
inline constexpr Rule kContinuedLine{
    .name = "continued-line",
    .severity = Severity::warning,
    .summary = "a line is read as continuation of the value above",
};
inline constexpr Rule kUnknownQualifier{
    .name = "unknown-qualifier",
    .severity = Severity::error,
    .summary = "a qualifier that this paragraph does not know",
};
inline constexpr Rule kRepeatedQualifier{
    .name = "repeated-qualifier",
    .severity = Severity::error,
    .summary = "a qualifier that may stand once stands twice",
};
inline constexpr Rule kMissingQualifier{
    .name = "missing-qualifier",
    .severity = Severity::error,
    .summary = "a mandatory qualifier is missing",
};
inline constexpr Rule kEmptyValue{
    .name = "empty-value",
    .severity = Severity::error,
    .summary = "a qualifier without a value",
};
inline constexpr Rule kColonInValue{
    .name = "colon-in-value",
    .severity = Severity::error,
    .summary = "a colon inside a value",
    .reason = "NVIDIA SM rejects the whole policy",
};
inline constexpr Rule kBadValue{
    .name = "bad-value",
    .severity = Severity::error,
    .summary = "a value that does not have the form of its qualifier",
};
inline constexpr Rule kValueTooLong{
    .name = "value-too-long",
    .severity = Severity::warning,
    .summary = "a value longer than NVIDIA SM accepts",
};
inline constexpr Rule kEmptyPolicyFile{
    .name = "empty-policy-file",
    .severity = Severity::error,
    .summary = "a routing chain without a step",
};

// Port groups (config-files 2).
inline constexpr Rule kUnsupportedGroupSyntax{
    .name = "unsupported-group-syntax",
    .severity = Severity::error,
    .summary = "a group syntax of third-party generators",
};
inline constexpr Rule kSlashBeforePorts{
    .name = "slash-before-ports",
    .severity = Severity::warning,
    .summary = "`/` in place of `@` before a port list",
};
inline constexpr Rule kGuidRangeList{
    .name = "guid-range-list",
    .severity = Severity::error,
    .summary = "a list where one GUID range is allowed",
};
inline constexpr Rule kReversedRange{
    .name = "reversed-range",
    .severity = Severity::error,
    .summary = "a range whose first number is the larger one",
};
inline constexpr Rule kUnknownHostField{
    .name = "unknown-host-field",
    .severity = Severity::error,
    .summary = "a field of `port-name` other than hostname, port and hca_idx",
};
inline constexpr Rule kMissingHostname{
    .name = "missing-hostname",
    .severity = Severity::error,
    .summary = "a host of `port-name` without hostname",
};
inline constexpr Rule kMixedSeparators{
    .name = "mixed-separators",
    .severity = Severity::note,
    .summary = "both `;` and blanks separate host fields",
};
inline constexpr Rule kTooManyGroups{
    .name = "too-many-groups",
    .severity = Severity::error,
    .summary = "a union or difference of other than two groups",
};

// torus-2QoS.conf (config-files 5).
inline constexpr Rule kMissingArgument{
    .name = "missing-argument",
    .severity = Severity::error,
    .summary = "a keyword with too few arguments",
};
inline constexpr Rule kExtraArgument{
    .name = "extra-argument",
    .severity = Severity::error,
    .summary = "a word behind the last argument",
    .reason = "OpenSM ignores it silently",
};

// Findings themselves.
inline constexpr Rule kMoreFindings{
    .name = "more-findings",
    .severity = Severity::note,
    .summary = "more findings of one kind than are shown",
    .reason = "a long file with a mistake in every line has one mistake",
    .opensm = "does not count what it finds",
    .nvidia = "does not count what it finds",
    .repair = "mend those that are shown and run again",
};

inline constexpr const Rule* kRules[] = {
    &kNulByte,
    &kByteOrderMark,
    &kTypographicCharacter,
    &kLongLine,
    &kOctalNumber,
    &kBadNumber,
    &kNumberOutOfRange,
    &kBadGuid,
    &kGuidWithoutPrefix,
    &kGuidReadAsDecimal,
    &kEqualsSign,
    &kHashInQuotes,
    &kUnclosedQuote,
    &kUnknownKeyword,
    &kTextOutsideParagraph,
    &kForeignParagraph,
    &kMissingEnd,
    &kStrayEnd,
    &kKeywordWithColon,
    &kKeywordCase,
    &kMissingColon,
    &kContinuedLine,
    &kUnknownQualifier,
    &kRepeatedQualifier,
    &kMissingQualifier,
    &kEmptyValue,
    &kColonInValue,
    &kBadValue,
    &kValueTooLong,
    &kEmptyPolicyFile,
    &kUnsupportedGroupSyntax,
    &kSlashBeforePorts,
    &kGuidRangeList,
    &kReversedRange,
    &kUnknownHostField,
    &kMissingHostname,
    &kMixedSeparators,
    &kTooManyGroups,
    &kMissingArgument,
    &kExtraArgument,
    &kMoreFindings,
};

}  // namespace rch::parsers
