package io.siltstone.statistics;

/**
 * The distribution of many values, accurate to 1 %. Immutable.
 *
 * @param count number of values
 * @param mean 0 without values, like all that follow
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
