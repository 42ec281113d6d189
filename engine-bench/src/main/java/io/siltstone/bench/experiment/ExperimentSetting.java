package io.siltstone.bench.experiment;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.volume.Kernel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The environment and the size of an experiment. Immutable.
 *
 * @param directory on the disk to be measured, for data that is removed at the end; exists
 * @param scale size of the experiment
 * @param rounds how often everything is measured, 1 or more; empty for the default of the scale
 * @param jvm of the measured parts, with the class path of this module and without a heap size
 * @param peers the other engines, which some experiments need
 * @param kernel of the machine
 * @param machine for the report
 * @param progress receives lines of progress
 */
public record ExperimentSetting(
    Path directory,
    Scale scale,
    OptionalInt rounds,
    ChildJvm jvm,
    Optional<OtherEngines> peers,
    Kernel.Tree kernel,
    Machine machine,
    Consumer<String> progress) {}
