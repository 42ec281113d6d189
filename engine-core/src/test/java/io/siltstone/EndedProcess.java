package io.siltstone;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What the process does that {@link EndedProcessTest} starts: it puts {@link #PUTS} values, says
 * {@code done}, and ends without closing the store, as it was told: {@code halt}, {@code exit}, or
 * {@code wait} to be killed.
 */
final class EndedProcess {
  static final int PUTS = 250;

  private EndedProcess() {}

  static DatabaseOptions options(SyncMode mode) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .commitLog(CommitLogOptions.builder().syncMode(mode).build())
        .build();
  }

  static byte[] key(int n) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(n).array();
  }

  static byte[] value(int n) {
    return ("value " + n).getBytes(StandardCharsets.US_ASCII);
  }

  /** {@code directory sync-mode end}. */
  public static void main(String[] args) throws Exception {
    KeyValueStore store = KeyValueStore.open(Path.of(args[0]), options(SyncMode.valueOf(args[1])));
    for (int n = 0; n < PUTS; n++) {
      store.put(key(n), value(n));
    }
    if (args[2].equals("halt")) {
      Runtime.getRuntime().halt(3);
    } else if (args[2].equals("exit")) {
      System.exit(3);
    }
    OutputStream out = System.out;
    out.write("done\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
    Thread.currentThread().join();
  }
}
