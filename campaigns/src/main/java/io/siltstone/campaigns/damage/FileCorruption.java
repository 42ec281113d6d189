package io.siltstone.campaigns.damage;

import java.util.Arrays;
import java.util.Random;

/** A random change of a file, as made by bad disks, bad memory and faulty programs. */
final class FileCorruption {
  private static final int PAGE = 4096;
  private static final int MOST_BITS = 3;

  private final Kind kind;
  private final String text;
  private final byte[] bytes;

  /** The kinds of changes. */
  enum Kind {
    FLIPPED_BITS,
    CUT,
    ZEROED_PAGE,
    SWAPPED_PAGES,
    DUPLICATED_RANGE,
    RANDOM_BYTES,
    LENGTHENED
  }

  private FileCorruption(Kind kind, String text, byte[] bytes) {
    this.kind = kind;
    this.text = text;
    this.bytes = bytes;
  }

  Kind kind() {
    return kind;
  }

  /** Returns a description of the change, with offsets. */
  String text() {
    return text;
  }

  /** Returns the whole changed file. */
  byte[] bytes() {
    return bytes;
  }

  /** Draws a change of a file; it may leave the file as it was. */
  static FileCorruption draw(Random random, byte[] file) {
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    if (file.length == 0) {
      kind = Kind.LENGTHENED;
    }
    return switch (kind) {
      case FLIPPED_BITS -> flip(random, file.clone());
      case CUT -> {
        int length = random.nextInt(file.length);
        yield new FileCorruption(kind, "cut to " + length, Arrays.copyOf(file, length));
      }
      case ZEROED_PAGE -> {
        int page = page(random, file.length);
        int at = random.nextInt((file.length + page - 1) / page) * page;
        byte[] changed = file.clone();
        int end = Math.min(file.length, at + page);
        Arrays.fill(changed, at, end, (byte) 0);
        yield new FileCorruption(kind, "zeros from " + at + " to " + end, changed);
      }
      case SWAPPED_PAGES -> swap(random, file.clone());
      case DUPLICATED_RANGE -> duplicate(random, file);
      case RANDOM_BYTES -> {
        int at = random.nextInt(file.length);
        byte[] noise = noise(random, 1 + random.nextInt(Math.min(64, file.length - at)));
        byte[] changed = file.clone();
        System.arraycopy(noise, 0, changed, at, noise.length);
        yield new FileCorruption(kind, noise.length + " random bytes at " + at, changed);
      }
      case LENGTHENED -> {
        byte[] more = noise(random, 1 + random.nextInt(200));
        if (random.nextBoolean()) {
          Arrays.fill(more, (byte) 0);
        }
        yield new FileCorruption(
            kind,
            "longer by " + more.length + " from " + more[0] + " on",
            insert(file, file.length, more));
      }
    };
  }

  /** Returns a size like that of pages and sectors; less if a file has only one. */
  private static int page(Random random, int length) {
    int page = random.nextBoolean() ? PAGE : 512;
    while (page * 2 > length && page > 1) {
      page /= 2;
    }
    return page;
  }

  private static FileCorruption flip(Random random, byte[] changed) {
    StringBuilder text = new StringBuilder("flipped bits");
    for (int i = 1 + random.nextInt(MOST_BITS); i > 0; i--) {
      long bit = (long) (random.nextDouble() * changed.length * 8);
      changed[(int) (bit >> 3)] ^= (byte) (1 << (bit & 7));
      text.append(' ').append(bit >> 3).append('.').append(bit & 7);
    }
    return new FileCorruption(Kind.FLIPPED_BITS, text.toString(), changed);
  }

  private static FileCorruption swap(Random random, byte[] changed) {
    int page = page(random, changed.length);
    int pages = changed.length / page;
    int one = random.nextInt(pages) * page;
    int other = random.nextInt(pages) * page;
    byte[] kept = Arrays.copyOfRange(changed, one, one + page);
    System.arraycopy(changed, other, changed, one, page);
    System.arraycopy(kept, 0, changed, other, page);
    return new FileCorruption(
        Kind.SWAPPED_PAGES, "pages of " + page + " at " + one + " and " + other, changed);
  }

  private static FileCorruption duplicate(Random random, byte[] file) {
    int from = random.nextInt(file.length);
    int length = 1 + random.nextInt(Math.min(PAGE, file.length - from));
    byte[] range = Arrays.copyOfRange(file, from, from + length);
    return new FileCorruption(
        Kind.DUPLICATED_RANGE,
        "range from " + from + " to " + (from + length) + " twice",
        insert(file, from + length, range));
  }

  private static byte[] insert(byte[] file, int at, byte[] more) {
    byte[] changed = Arrays.copyOf(file, file.length + more.length);
    System.arraycopy(more, 0, changed, at, more.length);
    System.arraycopy(file, at, changed, at + more.length, file.length - at);
    return changed;
  }

  private static byte[] noise(Random random, int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }
}
