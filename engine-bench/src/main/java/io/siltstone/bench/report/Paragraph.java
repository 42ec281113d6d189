package io.siltstone.bench.report;

/**
 * Some sentences.
 *
 * @param text plain; nothing in it is markup
 */
public record Paragraph(String text) implements Block {}
