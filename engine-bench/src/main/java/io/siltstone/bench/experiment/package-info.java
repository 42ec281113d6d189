/**
 * The published experiments, reproduced on the machine at hand: {@link
 * io.siltstone.bench.experiment.Experiments} lists them, an {@link
 * io.siltstone.bench.experiment.Experiment} runs in a {@link io.siltstone.bench.experiment.Setting}
 * and gives a report. What is measured runs in JVMs of its own, variant after variant, round after
 * round; figures are medians with their spread. What a report concludes is computed from what was
 * measured.
 */
@NullMarked
package io.siltstone.bench.experiment;

import org.jspecify.annotations.NullMarked;
