package io.siltstone.bench.report;

/**
 * Lines that are shown as they are, in letters of one width.
 *
 * @param text plain, with line ends
 */
public record Code(String text) implements Block {}
