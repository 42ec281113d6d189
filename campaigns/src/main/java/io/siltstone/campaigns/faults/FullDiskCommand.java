package io.siltstone.campaigns.faults;

import io.siltstone.campaigns.run.CampaignOptions;
import io.siltstone.campaigns.run.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command of {@link FullDiskCampaign}, which runs only where file systems can be mounted. */
@Command(
    name = "full-disk",
    description =
        "Fills small file systems, which it mounts: tmpfs, and ext4 in a file. It needs"
            + " Linux and the rights of root; without them it prints that it was skipped. A"
            + " round is one disk.",
    mixinStandardHelpOptions = true)
public final class FullDiskCommand implements Callable<Integer> {
  private static final long ROUNDS = 60;

  @Spec private CommandSpec spec;

  @Mixin private CampaignOptions options;

  @Override
  public Integer call() throws IOException {
    Path probe = Files.createTempDirectory("full-disk");
    try (SmallVolume volume = SmallVolume.mount(probe, SmallVolume.Kind.TMPFS, 1)) {
      Files.write(volume.root().resolve("probe"), new byte[1]);
    } catch (IOException e) {
      Directories.delete(probe);
      spec.commandLine()
          .getOut()
          .println(
              "full-disk: skipped, because no file system can be mounted here: " + e.getMessage());
      spec.commandLine().getOut().flush();
      return 0;
    }
    return options.run("full-disk", ROUNDS, FullDiskCampaign::new, spec.commandLine().getOut());
  }
}
