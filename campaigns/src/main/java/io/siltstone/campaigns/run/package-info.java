/** Runs the rounds of any campaign within limits, and keeps its ledger and its deviations. */
@NullMarked
package io.siltstone.campaigns.run;

import org.jspecify.annotations.NullMarked;
