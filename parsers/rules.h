#pragma once

#include "base/diagnostic.h"

namespace rch::parsers {

// Text (config-files 0).
inline constexpr Rule kNulByte{"nul-byte", Severity::error, "a NUL byte in a text file"};
inline constexpr Rule kByteOrderMark{"byte-order-mark", Severity::warning,
                                     "the file starts with a byte order mark",
                                     "OpenSM reads it as part of the first word"};
inline constexpr Rule kTypographicCharacter{"typographic-character", Severity::error,
                                            "a typographic quote or dash outside a comment",
                                            "OpenSM takes it as part of a name or number"};
inline constexpr Rule kLongLine{"long-line", Severity::warning, "a line longer than OpenSM's buffer",
                                "OpenSM splits the line and reads the tail as a new line"};
inline constexpr Rule kOctalNumber{"octal-number", Severity::warning,
                                   "a number with a leading zero is octal"};
inline constexpr Rule kBadNumber{"bad-number", Severity::error,
                                 "a number was expected and something else stands there"};
inline constexpr Rule kNumberOutOfRange{"number-out-of-range", Severity::error,
                                        "a number outside its legal range"};
inline constexpr Rule kBadGuid{"bad-guid", Severity::error, "a GUID that is no 64-bit number, or zero"};
inline constexpr Rule kGuidWithoutPrefix{"guid-without-prefix", Severity::error,
                                         "hexadecimal GUID without `0x`"};
inline constexpr Rule kGuidReadAsDecimal{"guid-read-as-decimal", Severity::warning,
                                         "a GUID of 16 decimal digits without `0x`"};

// opensm.conf (config-files 1.1).
inline constexpr Rule kEqualsSign{"equals-sign", Severity::warning, "`=` between an option and its value",
                                  "OpenSM takes the `=` as part of the key or of the value"};
inline constexpr Rule kHashInQuotes{"hash-in-quotes", Severity::warning, "`#` inside an open quote",
                                    "the comment starts there all the same"};
inline constexpr Rule kUnclosedQuote{"unclosed-quote", Severity::warning,
                                     "a quote that is not closed on its line",
                                     "OpenSM keeps the quote as part of the value"};

// Paragraph dialects: port groups, topologies, routing chains (config-files 2-4).
inline constexpr Rule kUnknownKeyword{"unknown-keyword", Severity::error,
                                      "a keyword that this kind of file does not know"};
inline constexpr Rule kTextOutsideParagraph{"text-outside-paragraph", Severity::error,
                                            "text outside every paragraph"};
inline constexpr Rule kForeignParagraph{"foreign-paragraph", Severity::error,
                                        "a paragraph of another kind of file"};
inline constexpr Rule kMissingEnd{"missing-end", Severity::error, "a paragraph without its end keyword"};
inline constexpr Rule kStrayEnd{"stray-end", Severity::error, "an end keyword without a paragraph"};
inline constexpr Rule kKeywordWithColon{"keyword-with-colon", Severity::warning,
                                        "a paragraph keyword takes no colon"};
inline constexpr Rule kKeywordCase{"keyword-case", Severity::warning, "keywords are written in lower case"};
inline constexpr Rule kMissingColon{"missing-colon", Severity::error, "a qualifier without its colon"};
inline constexpr Rule kContinuedLine{"continued-line", Severity::warning,
                                     "a line is read as continuation of the value above"};
inline constexpr Rule kUnknownQualifier{"unknown-qualifier", Severity::error,
                                        "a qualifier that this paragraph does not know"};
inline constexpr Rule kRepeatedQualifier{"repeated-qualifier", Severity::error,
                                         "a qualifier that may stand once stands twice"};
inline constexpr Rule kMissingQualifier{"missing-qualifier", Severity::error,
                                        "a mandatory qualifier is missing"};
inline constexpr Rule kEmptyValue{"empty-value", Severity::error, "a qualifier without a value"};
inline constexpr Rule kColonInValue{"colon-in-value", Severity::error, "a colon inside a value",
                                    "NVIDIA SM rejects the whole policy"};
inline constexpr Rule kBadValue{"bad-value", Severity::error,
                                "a value that does not have the form of its qualifier"};
inline constexpr Rule kValueTooLong{"value-too-long", Severity::warning,
                                    "a value longer than NVIDIA SM accepts"};
inline constexpr Rule kEmptyPolicyFile{"empty-policy-file", Severity::error,
                                       "a routing chain without a step"};

// Port groups (config-files 2).
inline constexpr Rule kUnsupportedGroupSyntax{"unsupported-group-syntax", Severity::error,
                                              "a group syntax of third-party generators"};
inline constexpr Rule kSlashBeforePorts{"slash-before-ports", Severity::warning,
                                        "`/` in place of `@` before a port list"};
inline constexpr Rule kGuidRangeList{"guid-range-list", Severity::error,
                                     "a list where one GUID range is allowed"};
inline constexpr Rule kReversedRange{"reversed-range", Severity::error,
                                     "a range whose first number is the larger one"};
inline constexpr Rule kUnknownHostField{"unknown-host-field", Severity::error,
                                        "a field of `port-name` other than hostname, port and hca_idx"};
inline constexpr Rule kMissingHostname{"missing-hostname", Severity::error,
                                       "a host of `port-name` without hostname"};
inline constexpr Rule kMixedSeparators{"mixed-separators", Severity::note,
                                       "both `;` and blanks separate host fields"};
inline constexpr Rule kTooManyGroups{"too-many-groups", Severity::error,
                                     "a union or difference of other than two groups"};

// torus-2QoS.conf (config-files 5).
inline constexpr Rule kMissingArgument{"missing-argument", Severity::error,
                                       "a keyword with too few arguments"};
inline constexpr Rule kExtraArgument{"extra-argument", Severity::error, "a word behind the last argument",
                                     "OpenSM ignores it silently"};

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
};

}  // namespace rch::parsers
