#pragma once

#include "base/diagnostic.h"

namespace rch::parsers {

// Text (docs/configuration.md).
inline constexpr Rule kNulByte{
    .name = "nul-byte",
    .severity = Severity::error,
    .summary = "a NUL byte in a text file",
    .opensm = "ends the line there",
    .nvidia = "ends the line there",
    .repair = "take the byte out; the file may be UTF-16: save it as UTF-8",
};
inline constexpr Rule kByteOrderMark{
    .name = "byte-order-mark",
    .severity = Severity::warning,
    .summary = "the file starts with a byte order mark",
    .opensm = "reads it as part of the first word",
    .nvidia = "reads it as part of the first word",
    .repair = "save the file without it",
};
inline constexpr Rule kCarriageReturn{
    .name = "carriage-return",
    .severity = Severity::error,
    .summary = "lines of a partition file or QoS policy that end as on Windows",
    .reason = "OpenSM takes the carriage return for text, except in a comment; other files may have them",
    .opensm =
        "drops the whole file: every port is a full member of the default partition (seen on ibsim), or "
        "there "
        "is no QoS policy",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "save the file with the line ends of Unix",
};
inline constexpr Rule kTypographicCharacter{
    .name = "typographic-character",
    .severity = Severity::error,
    .summary = "a typographic quote or dash outside a comment",
    .opensm = "takes it as part of a name or number",
    .nvidia = "takes it as part of a name or number",
    .repair = "type the plain `-` or quote",
};
inline constexpr Rule kLongLine{
    .name = "long-line",
    .severity = Severity::warning,
    .summary = "a line longer than OpenSM's buffer",
    .opensm = "splits the line and reads the tail as a new line",
    .nvidia = "splits the line and reads the tail as a new line",
    .repair = "break the line up, or shorten it",
};
inline constexpr Rule kOctalNumber{
    .name = "octal-number",
    .severity = Severity::warning,
    .summary = "a number with a leading zero is octal",
    .opensm = "reads it as octal silently (seen with `opensm -c`)",
    .nvidia = "reads it as octal silently",
    .repair = "drop the leading zero, or write `0x` if it is hexadecimal",
};
inline constexpr Rule kBadNumber{
    .name = "bad-number",
    .severity = Severity::error,
    .summary = "a number was expected and something else stands there",
    .opensm =
        "prints a parsing error and keeps the default of an option (seen with `opensm -c`); in other files "
        "it "
        "reports the word, or reads a 0 silently",
    .nvidia = "refuses the file, or reads a 0, depending on the file",
    .repair = "write a decimal number, or a hexadecimal one with `0x`",
};
inline constexpr Rule kNumberOutOfRange{
    .name = "number-out-of-range",
    .severity = Severity::error,
    .summary = "a number outside its legal range",
    .opensm =
        "prints a parsing error and keeps the default of an option (seen with `opensm -c`); in other files "
        "it "
        "cuts the number to the bits it has room for, or refuses the file",
    .nvidia = "cuts it to the bits it has room for, or refuses the file",
    .repair = "write a number of the range in the message",
};
inline constexpr Rule kBadGuid{
    .name = "bad-guid",
    .severity = Severity::error,
    .summary = "a GUID that is no 64-bit number, or zero",
    .opensm =
        "reads 0 or stops at the line, depending on the file; updn 3.3.23 then adds the roots that it "
        "finds itself to those above the line (seen on ibsim)",
    .nvidia = "refuses the file, or the line",
    .repair = "write `0x` and up to 16 hexadecimal digits",
};
inline constexpr Rule kGuidWithoutPrefix{
    .name = "guid-without-prefix",
    .severity = Severity::error,
    .summary = "hexadecimal GUID without `0x`",
    .opensm =
        "refuses a partition file and opens every partition (seen on ibsim); elsewhere it reads the decimal "
        "digits that the word begins with, or none",
    .nvidia = "reads the decimal digits it begins with, or none",
    .repair = "put `0x` before it",
};
inline constexpr Rule kGuidReadAsDecimal{
    .name = "guid-read-as-decimal",
    .severity = Severity::warning,
    .summary = "a GUID of 12 and more decimal digits without `0x`",
    .opensm = "reads it as a decimal number silently",
    .nvidia = "reads it as a decimal number silently",
    .repair = "put `0x` before it if it is hexadecimal",
};

// opensm.conf (docs/configuration.md).
inline constexpr Rule kEqualsSign{
    .name = "equals-sign",
    .severity = Severity::warning,
    .summary = "`=` between an option and its value",
    .opensm =
        "takes the `=` as part of the key, or of the value, where it makes a boolean FALSE (seen with "
        "`opensm -c`)",
    .nvidia = "takes the `=` as part of the key, or of the value, though its manual writes one",
    .repair = "write a blank in place of `=`",
};
inline constexpr Rule kHashInQuotes{
    .name = "hash-in-quotes",
    .severity = Severity::warning,
    .summary = "`#` inside an open quote",
    .reason = "the comment starts there anyway",
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

// Paragraph dialects: port groups, topologies, routing chains (docs/keywords.md), some of them in QoS
// policies too.
inline constexpr std::string_view kOpensmPolicy =
    "drops the whole policy when it is a QoS policy (seen on ibsim), and does not read the other kinds of "
    "file";
inline constexpr Rule kUnknownKeyword{
    .name = "unknown-keyword",
    .severity = Severity::error,
    .summary = "a keyword that this kind of file does not know",
    .opensm =
        "refuses a torus-2QoS.conf with it, drops a QoS policy, and does not read the other kinds of file",
    .nvidia = "refuses the whole file",
    .repair = "write the keyword that the message names",
};
inline constexpr Rule kTextOutsideParagraph{
    .name = "text-outside-paragraph",
    .severity = Severity::error,
    .summary = "text outside every paragraph",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "move the line into a paragraph, or make it a comment with `#`",
};
inline constexpr Rule kForeignParagraph{
    .name = "foreign-paragraph",
    .severity = Severity::error,
    .summary = "a paragraph of another kind of file",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "move the paragraph to the file of its kind",
};
inline constexpr Rule kMissingEnd{
    .name = "missing-end",
    .severity = Severity::error,
    .summary = "a paragraph without its end keyword",
    .opensm = kOpensmPolicy,
    .nvidia = "refuses the whole policy",
    .repair = "close the paragraph with its `end-` keyword",
};
inline constexpr Rule kStrayEnd{
    .name = "stray-end",
    .severity = Severity::error,
    .summary = "an end keyword without a paragraph",
    .opensm = kOpensmPolicy,
    .nvidia = "refuses the whole policy",
    .repair = "drop the line, or begin the paragraph",
};
inline constexpr Rule kKeywordWithColon{
    .name = "keyword-with-colon",
    .severity = Severity::warning,
    .summary = "a paragraph keyword takes no colon",
    .opensm = kOpensmPolicy,
    .nvidia = "documents the keyword without; may refuse the policy",
    .repair = "drop the colon",
};
inline constexpr Rule kKeywordCase{
    .name = "keyword-case",
    .severity = Severity::warning,
    .summary = "keywords are written in lower case",
    .opensm = kOpensmPolicy,
    .nvidia = "documents lower case; may refuse the policy",
    .repair = "write it in lower case",
};
inline constexpr Rule kMissingColon{
    .name = "missing-colon",
    .severity = Severity::error,
    .summary = "a qualifier without its colon",
    .opensm = kOpensmPolicy,
    .nvidia = "refuses the whole policy",
    .repair = "put `:` between the qualifier and its value",
};
inline constexpr Rule kContinuedLine{
    .name = "continued-line",
    .severity = Severity::warning,
    .summary = "a line is read as continuation of the value above",
    .reason = "the samples of the manual are broken into lines this way",
    .opensm = "does not read this kind of file",
    .nvidia = "is not documented to read it so",
    .repair = "write the value in one line",
};
inline constexpr Rule kUnknownQualifier{
    .name = "unknown-qualifier",
    .severity = Severity::error,
    .summary = "a qualifier that this paragraph does not know",
    .opensm = kOpensmPolicy,
    .nvidia = "refuses the whole policy",
    .repair = "write the qualifier that the message names, or drop the line",
};
inline constexpr Rule kRepeatedQualifier{
    .name = "repeated-qualifier",
    .severity = Severity::error,
    .summary = "a qualifier that may stand once stands twice",
    .opensm = kOpensmPolicy,
    .nvidia = "documents one; refuses the policy, or takes the last",
    .repair = "keep one of the lines",
};
inline constexpr Rule kMissingQualifier{
    .name = "missing-qualifier",
    .severity = Severity::error,
    .summary = "a mandatory qualifier is missing",
    .opensm = kOpensmPolicy,
    .nvidia = "refuses the whole policy",
    .repair = "add the qualifier",
};
inline constexpr Rule kEmptyValue{
    .name = "empty-value",
    .severity = Severity::error,
    .summary = "a qualifier without a value",
    .opensm = kOpensmPolicy,
    .nvidia = "refuses the whole policy",
    .repair = "write a value, or drop the line",
};
inline constexpr Rule kColonInValue{
    .name = "colon-in-value",
    .severity = Severity::error,
    .summary = "a colon inside a value",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "write the value without a colon",
};
inline constexpr Rule kBadValue{
    .name = "bad-value",
    .severity = Severity::error,
    .summary = "a value that does not have the form of its qualifier",
    .opensm = kOpensmPolicy,
    .nvidia = "refuses the whole policy",
    .repair = "write the form that the message names",
};
inline constexpr Rule kValueTooLong{
    .name = "value-too-long",
    .severity = Severity::warning,
    .summary = "a value longer than NVIDIA SM accepts",
    .opensm = "does not read this kind of file",
    .nvidia = "cuts the value off, or refuses the policy",
    .repair = "split the value over several lines of the qualifier",
};
inline constexpr Rule kEmptyPolicyFile{
    .name = "empty-policy-file",
    .severity = Severity::error,
    .summary = "a routing chain without a step",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "write a first step, or leave `chain` out of `routing_engine`",
};

// … of OpenSM's QoS policy alone (OpenSM's doc/QoS_management_in_OpenSM.txt).
/// NVIDIA's manuals describe OpenSM's file; the parser itself is not published.
inline constexpr std::string_view kNvidiaSame = "documents OpenSM's syntax; its own parser is not published";

inline constexpr Rule kMisplacedSection{
    .name = "misplaced-section",
    .severity = Severity::error,
    .summary = "a paragraph of a QoS policy outside its section",
    .reason =
        "each paragraph stands in a section: `port-group` in `port-groups`, `qos-level` in `qos-levels`",
    .opensm = "drops the whole policy (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "open the section before it and close it behind",
};
inline constexpr Rule kKeywordNotAlone{
    .name = "keyword-not-alone",
    .severity = Severity::warning,
    .summary = "text behind a keyword or a definition on its line",
    .reason = "the manual wants every keyword first on its line",
    .opensm =
        "reads on as if a new line began, but drops the whole policy when `sl` or another qualifier with a "
        "number follows a name (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "give each keyword a line of its own",
};
inline constexpr Rule kEmptySection{
    .name = "empty-section",
    .severity = Severity::error,
    .summary = "`port-groups` or `qos-ulps` with nothing in it",
    .reason = "these two sections must hold an entry when they are present",
    .opensm = "drops the whole policy (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "remove the section",
};
inline constexpr Rule kWrappedValue{
    .name = "wrapped-value",
    .severity = Severity::warning,
    .summary = "a value that goes on in the next line",
    .reason = "only lists of numbers may, and only at a comma",
    .opensm = "reads numbers on by accident, and refuses most other wrapped values",
    .nvidia = kNvidiaSame,
    .repair = "keep the value on one line, or write the keyword again",
};
inline constexpr Rule kCommentAtEnd{
    .name = "comment-without-line-end",
    .severity = Severity::warning,
    .summary = "the file ends inside a comment",
    .reason = "a comment is ended by a line end, and this one has none",
    .opensm = "takes the comment for text and drops the whole policy (seen on ibsim)",
    .nvidia = kNvidiaSame,
    .repair = "end the last line",
};

// Port groups (docs/keywords.md).
inline constexpr Rule kUnsupportedGroupSyntax{
    .name = "unsupported-group-syntax",
    .severity = Severity::error,
    .summary = "a group syntax of third-party generators",
    .opensm = "does not read this kind of file",
    .nvidia = "does not document it",
    .repair = "list the ports with `port-guid: GUID@PORT/PORT`",
};
inline constexpr Rule kSlashBeforePorts{
    .name = "slash-before-ports",
    .severity = Severity::warning,
    .summary = "`/` in place of `@` before a port list",
    .reason = "one manual prints it so",
    .opensm = "does not read this kind of file",
    .nvidia = "documents `@`",
    .repair = "write `@` before the first port",
};
inline constexpr Rule kGuidRangeList{
    .name = "guid-range-list",
    .severity = Severity::error,
    .summary = "a list where one GUID range is allowed",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "write one `port-guid-range` line for each range",
};
inline constexpr Rule kReversedRange{
    .name = "reversed-range",
    .severity = Severity::error,
    .summary = "a range whose first number is the larger one",
    .opensm = "reads no such range",
    .nvidia = "refuses the policy, or matches nothing",
    .repair = "write the smaller number first",
};
inline constexpr Rule kUnknownHostField{
    .name = "unknown-host-field",
    .severity = Severity::error,
    .summary = "a field of `port-name` other than hostname, port and hca_idx",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "write `hostname`, `port` or `hca_idx`",
};
inline constexpr Rule kMissingHostname{
    .name = "missing-hostname",
    .severity = Severity::error,
    .summary = "a host of `port-name` without hostname",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "add `hostname=NAME`",
};
inline constexpr Rule kMixedSeparators{
    .name = "mixed-separators",
    .severity = Severity::note,
    .summary = "both `;` and blanks separate host fields",
    .reason = "the manual describes `;` and its sample has blanks",
    .opensm = "does not read this kind of file",
    .nvidia = "documents both",
    .repair = "use one of them throughout",
};
inline constexpr Rule kTooManyGroups{
    .name = "too-many-groups",
    .severity = Severity::error,
    .summary = "a union or difference of other than two groups",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "nest: make the union of two in a group of its own",
};

// torus-2QoS.conf (torus-2QoS.conf(5)).
inline constexpr Rule kMissingArgument{
    .name = "missing-argument",
    .severity = Severity::error,
    .summary = "a keyword with too few arguments",
    .opensm = "refuses the file",
    .nvidia = "refuses the file",
    .repair = "write the arguments that the message names",
};
inline constexpr Rule kExtraArgument{
    .name = "extra-argument",
    .severity = Severity::error,
    .summary = "a word behind the last argument",
    .opensm = "ignores it silently",
    .nvidia = "ignores it silently",
    .repair = "drop it, or make it a comment with `#`",
};

// Numbers with a meaning of their own.
inline constexpr Rule kFigureForCode{
    .name = "figure-for-code",
    .severity = Severity::error,
    .summary = "an MTU in bytes or a rate in Gb/s where its code stands",
    .reason = "PathRecords hold codes: 5 is 4096 bytes, 7 is 40 Gb/s",
    .opensm = "takes the number as a code that it does not know, and makes no group or no path of it",
    .nvidia = "takes the number as a code",
    .repair = "write the code that the hint names",
};
inline constexpr Rule kGuidLength{
    .name = "guid-length",
    .severity = Severity::warning,
    .summary = "a GUID of 15 or 17 digits",
    .reason = "a GUID has 16 digits; such a one mostly lost or gained one by mistake",
    .opensm = "takes the number as it stands (seen on ibsim)",
    .nvidia = "takes the number as it stands",
    .repair = "write the 16 digits",
};

// Findings themselves.
inline constexpr Rule kMoreFindings{
    .name = "more-findings",
    .severity = Severity::note,
    .summary = "more findings of one kind than are shown",
    .reason = "a long file with a mistake in every line has one mistake",
    .opensm = "does not count what it finds",
    .nvidia = "does not count what it finds",
    .repair = "repair those that are shown and run again",
};

inline constexpr const Rule* kRules[] = {
    &kCarriageReturn,
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
    &kMisplacedSection,
    &kKeywordNotAlone,
    &kEmptySection,
    &kWrappedValue,
    &kCommentAtEnd,
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
    &kFigureForCode,
    &kGuidLength,
};

}  // namespace rch::parsers
