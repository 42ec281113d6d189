package io.siltstone.bench.report;

/**
 * A paragraph of sentences.
 *
 * @param text plain; nothing in it is markup
 */
public record Paragraph(String text) implements Block {}
