package io.siltstone.bench.experiment;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.volume.Kernel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Where and how large an experiment runs. Immutable.
 *
 * @param directory on the disk that is meant, for data that is removed at the end; exists
 * @param scale how large
 * @param rounds how often everything is measured, 1 and more, if not as the scale has it
 * @param jvm of the measured parts, with the class path of this module and no heap size yet
 * @param peers the other engines, which some experiments need
 * @param kernel of the machine
 * @param machine for the report
 * @param progress gets a line now and then
 */
public record Setting(
    Path directory,
    Scale scale,
    OptionalInt rounds,
    ChildJvm jvm,
    Optional<OtherEngines> peers,
    Kernel.Tree kernel,
    Machine machine,
    Consumer<String> progress) {}
