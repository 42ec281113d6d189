package io.siltstone.bench.report;

/**
 * Preformatted lines in a monospaced font.
 *
 * @param text plain, with line ends
 */
public record CodeBlock(String text) implements Block {}
