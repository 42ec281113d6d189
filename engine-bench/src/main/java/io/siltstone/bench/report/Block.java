package io.siltstone.bench.report;

/** What a section of a report is made of. Immutable. */
public sealed interface Block permits Paragraph, Code, Table, Chart {}
