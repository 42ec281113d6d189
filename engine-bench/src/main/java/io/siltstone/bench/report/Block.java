package io.siltstone.bench.report;

/** An element of a section of a report. Immutable. */
public sealed interface Block permits Paragraph, CodeBlock, ReportTable, Chart {}
