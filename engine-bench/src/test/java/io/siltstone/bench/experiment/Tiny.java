package io.siltstone.bench.experiment;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.child.TestClassPath;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.volume.Kernel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Runs an experiment in its tiny size, on a simulated kernel without limits, because tests must not
 * affect other processes of this machine; keeps the progress that it printed. The engine is
 * measured in this JVM, others in children.
 */
final class Tiny {
  final List<String> progress = new ArrayList<>();

  /** Omits lines that depend on how long a measurement takes. */
  private void addProgress(String line) {
    if (!line.startsWith("  still ")) {
      progress.add(line);
    }
  }

  Report run(Experiment experiment, Path directory) throws IOException {
    return experiment.run(setting(experiment.name(), directory));
  }

  /** Returns the setting for an experiment with this name. */
  ExperimentSetting setting(String name, Path directory) throws IOException {
    // Without the C2 compiler and the verification of bytecode, the JVM starts sooner.
    ChildJvm jvm =
        new ChildJvm(
                TestClassPath.get(),
                List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-BytecodeVerificationRemote",
                    "-ea",
                    "-Xshare:auto"))
            .replacedByThisJvm();
    return new ExperimentSetting(
        directory,
        Scale.TINY,
        OptionalInt.empty(),
        jvm,
        Optional.empty(),
        new Kernel.Tree(directory.resolve("no-kernel")),
        Machine.of(directory, "test", List.of("siltstone", "bench", name)),
        this::addProgress);
  }
}
