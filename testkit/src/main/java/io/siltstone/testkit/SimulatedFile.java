package io.siltstone.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The content of one simulated file: what is durable, and what was written after the last sync.
 * Guarded by its file system.
 */
final class SimulatedFile {
  private static final int SECTOR_BYTES = 512;

  private byte[] bytes;
  private int length;
  private int durableLength;
  // The lengths after each write since the last sync.
  private final List<Integer> writeEnds = new ArrayList<>();

  private long modifiedMillis;

  SimulatedFile(long createdMillis) {
    this(new byte[SECTOR_BYTES], 0, createdMillis);
  }

  private SimulatedFile(byte[] bytes, int length, long modifiedMillis) {
    this.modifiedMillis = modifiedMillis;
    this.bytes = bytes;
    this.length = length;
    this.durableLength = length;
  }

  long modifiedMillis() {
    return modifiedMillis;
  }

  int length() {
    return length;
  }

  /** Returns the present array; the part that readers have seen never changes. */
  byte[] bytes() {
    return bytes;
  }

  void append(byte[] src, int count, long nowMillis) {
    modifiedMillis = nowMillis;
    if (count > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * length));
    }
    System.arraycopy(src, 0, bytes, length, count);
    length += count;
    writeEnds.add(length);
  }

  void sync() {
    durableLength = length;
    writeEnds.clear();
  }

  void truncate(int newLength, long nowMillis) {
    modifiedMillis = nowMillis;
    bytes = Arrays.copyOf(bytes, Math.max(SECTOR_BYTES, newLength));
    length = newLength;
    sync();
  }

  /** Returns one of the contents that the file may have after a power loss. */
  SimulatedFile afterPowerLoss(FileSystemModel model, Random random) {
    if (length == durableLength) {
      return copyOf(length);
    }
    return switch (random.nextInt(5)) {
      case 0 -> copyOf(durableLength);
      case 1 -> copyOf(length);
      case 2 -> copyOf(cut(random));
      case 3 -> withoutSectors(length, model, random);
      default -> withoutSectors(cut(random), model, random);
    };
  }

  /** Returns everything that was written. */
  SimulatedFile afterProcessDeath() {
    return copyOf(length);
  }

  private SimulatedFile copyOf(int kept) {
    return new SimulatedFile(
        Arrays.copyOf(bytes, Math.max(SECTOR_BYTES, kept)), kept, modifiedMillis);
  }

  private int cut(Random random) {
    if (random.nextBoolean()) {
      return writeEnds.get(random.nextInt(writeEnds.size()));
    }
    int at = durableLength + random.nextInt(length - durableLength);
    return Math.max(durableLength, at - at % SECTOR_BYTES);
  }

  private SimulatedFile withoutSectors(int kept, FileSystemModel model, Random random) {
    SimulatedFile result = copyOf(kept);
    double missing = random.nextDouble();
    int first = durableLength - durableLength % SECTOR_BYTES;
    for (int sector = first; sector < kept; sector += SECTOR_BYTES) {
      if (random.nextDouble() < missing) {
        int from = Math.max(sector, durableLength);
        int to = Math.min(sector + SECTOR_BYTES, kept);
        byte[] found = new byte[to - from];
        // The rest of a partly durable sector was zeroed when it was written.
        if (model == FileSystemModel.UNORDERED && from == sector && random.nextInt(4) == 0) {
          random.nextBytes(found);
        }
        System.arraycopy(found, 0, result.bytes, from, found.length);
      }
    }
    return result;
  }
}
