package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;

/**
 * A process that cuts a file while it is mapped, reads it everywhere, into arrays and buffers of
 * both kinds, and says what it got.
 */
final class CutFileReader {
  private static final int LENGTH = 1 << 20;
  private static final int KEPT = 3 * 4096 + 100;
  // Until the pages that are kept end, if they are the largest that are common.
  private static final int KEPT_WITH_PAGE = 1 << 16;
  private static final int READS = 3_000;

  private final byte[] content = new byte[LENGTH];
  private final byte[] array = new byte[LENGTH];
  private final ByteBuffer direct = ByteBuffer.allocateDirect(LENGTH);
  private final Random random = new Random(17);
  private final Path file;
  private final int warming;
  private int right;
  private int unreadable;
  private int wrong;

  private CutFileReader(Path file, int warming) {
    this.file = file;
    this.warming = warming;
  }

  @SuppressWarnings("SystemOut") // Its parent reads it.
  public static void main(String[] args) throws IOException {
    CutFileReader reader = new CutFileReader(Path.of(args[0]), Integer.parseInt(args[1]));
    reader.run();
    System.out.println(
        "right "
            + (reader.right > 0)
            + " unreadable "
            + (reader.unreadable > 0)
            + " wrong "
            + reader.wrong);
  }

  private void run() throws IOException {
    random.nextBytes(content);
    Files.write(file, content);
    try (MappedFile mapped = MappedFile.open(file)) {
      for (int i = 0; i < warming; i++) {
        read(mapped, i, LENGTH);
      }
      if (unreadable > 0 || wrong > 0) {
        throw new IllegalStateException("the file is whole");
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(KEPT);
      }
      for (int i = 0; i < READS; i++) {
        read(mapped, i, KEPT);
      }
    }
  }

  private void read(MappedFile mapped, int turn, int kept) {
    int from = turn % 2 == 0 ? random.nextInt(LENGTH) : random.nextInt(2 * KEPT_WITH_PAGE);
    int length = Math.min(LENGTH - from, 1 + random.nextInt(turn % 3 == 0 ? 8 : 3_000));
    try {
      count(get(mapped, turn, from, length), from, length, kept);
    } catch (UnreadableFileException e) {
      boolean isSaid =
          e.path().equals(file.toString())
              && e.offset() == from
              && String.valueOf(e.getMessage())
                  .contains("the file has " + KEPT + " bytes, " + LENGTH);
      if (isSaid && from + length > kept) {
        unreadable++;
      } else {
        wrong++;
      }
    } catch (IOException | Error e) {
      e.printStackTrace();
      wrong++;
    }
  }

  private byte[] get(MappedFile mapped, int turn, int from, int length) throws IOException {
    switch (turn % 4) {
      case 0 -> {
        int unused = mapped.read(from, array, 3, Math.min(length, LENGTH - 3));
        return Arrays.copyOfRange(array, 3, 3 + length);
      }
      case 1 -> mapped.readFully(from, ByteBuffer.wrap(array, 0, length));
      default -> {
        mapped.readFully(from, direct.clear().limit(length));
        direct.flip().get(array, 0, length);
      }
    }
    return Arrays.copyOf(array, length);
  }

  private void count(byte[] got, int from, int length, int kept) {
    int sound = Math.max(0, Math.min(length, kept - from));
    boolean isZero = true;
    for (int i = sound; i < length; i++) {
      // The rest of the last page is there, and empty.
      isZero &= got[i] == 0 && from + i < KEPT_WITH_PAGE;
    }
    if (Arrays.equals(got, 0, sound, content, from, from + sound) && isZero) {
      right++;
    } else {
      wrong++;
    }
  }
}
