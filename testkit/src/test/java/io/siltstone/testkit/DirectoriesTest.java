package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.io.contract.DirectoryContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract of directories on those of this module. */
class DirectoriesTest {
  @TempDir private Path folder;

  @Nested
  class Journaled extends DirectoryContract {
    @Override
    protected Directory newDirectory() {
      return new SimulatedDisk(FileSystemModel.JOURNALED);
    }
  }

  @Nested
  class Unordered extends DirectoryContract {
    @Override
    protected Directory newDirectory() throws IOException {
      return new SimulatedDisk(FileSystemModel.UNORDERED).directory("child");
    }
  }

  @Nested
  class Rebooted extends DirectoryContract {
    @Override
    protected Directory newDirectory() {
      return new SimulatedDisk().powerLoss(1);
    }
  }

  @Nested
  class Faulty extends DirectoryContract {
    @Override
    protected Directory newDirectory() {
      return new FaultyDirectory(new MemoryDirectory(), 1);
    }
  }

  @Nested
  class CountingDirect extends DirectoryContract {
    @Override
    protected Directory newDirectory() throws IOException {
      NioOptions direct = NioOptions.DEFAULT.withDirectIo(true, true);
      return new CountingDirectory(NioDirectory.open(folder.resolve("counted"), direct));
    }
  }

  @Nested
  class FaultyCountingDirect extends DirectoryContract {
    @RegisterExtension final LeakChecking leaks = new LeakChecking();

    @Override
    protected Directory newDirectory() throws IOException {
      NioOptions direct = NioOptions.DEFAULT.withDirectIo(true, true);
      return leaks.watch(
          new FaultyDirectory(
              new CountingDirectory(NioDirectory.open(folder.resolve("all"), direct)), 1));
    }
  }
}
