package io.siltstone.kafka.streams.host;

import io.siltstone.Database;
import java.io.IOException;
import java.nio.file.Path;

/** Lets tests of other packages see which databases are open. */
public final class OpenDatabases {
  private OpenDatabases() {}

  /** Returns the open database of an application; null if there is none. */
  public static Database find(Path stateDirectory, String application) throws IOException {
    StoreDatabase found = HostRegistry.OF_JVM.find(stateDirectory, application);
    return found == null ? null : found.database();
  }

  /** Drops the tables whose markers are gone. */
  public static int sweep(Path stateDirectory, String application) throws IOException {
    StoreDatabase found = HostRegistry.OF_JVM.find(stateDirectory, application);
    return found == null ? 0 : found.sweep();
  }

  public static boolean areNone() {
    return HostRegistry.OF_JVM.isEmpty();
  }
}
