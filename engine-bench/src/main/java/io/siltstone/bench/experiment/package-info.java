/**
 * The published experiments, which can be reproduced on this machine: {@link
 * io.siltstone.bench.experiment.Experiments} lists them, and an {@link
 * io.siltstone.bench.experiment.Experiment} runs in a {@link
 * io.siltstone.bench.experiment.ExperimentSetting} and returns a report. Measurements run in their
 * own JVMs, variant after variant, round after round; figures are medians with their spread. The
 * conclusions of a report are computed from the measured figures.
 */
@NullMarked
package io.siltstone.bench.experiment;

import org.jspecify.annotations.NullMarked;
