package io.siltstone.statistics;

/**
 * What many values were like, right to one in a hundred. Immutable.
 *
 * @param count how many values
 * @param mean 0 if there are none, as all that follows
 * @param min the least
 * @param median half of the values are not above it
 * @param percentile75 75 % are not above it
 * @param percentile95 95 % are not above it
 * @param percentile98 98 % are not above it
 * @param percentile99 99 % are not above it
 * @param percentile999 99.9 % are not above it
 * @param max the greatest
 */
public record Distribution(
    long count,
    double mean,
    double min,
    double median,
    double percentile75,
    double percentile95,
    double percentile98,
    double percentile99,
    double percentile999,
    double max) {}
