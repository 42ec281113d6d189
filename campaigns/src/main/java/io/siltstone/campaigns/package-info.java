/**
 * Campaigns: long-running tests that add up their figures over many runs in a ledger, and keep the
 * seed and the files of each deviation. {@code docs/reliability.md} has the figures.
 */
@NullMarked
package io.siltstone.campaigns;

import org.jspecify.annotations.NullMarked;
