package io.siltstone.sstable.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.type.comparable.ComparableBytes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A trie on disk has the entries that a sorted map has, in the order of the keys' bytes. */
class TrieTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int PAYLOAD_BYTES = 9;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final TreeMap<byte[], Long> entries = new TreeMap<>(Arrays::compareUnsigned);

  static LongStream seeds() {
    Long one = Long.getLong("siltstone.seed");
    return one != null ? LongStream.of(one) : LongStream.range(0, 6L * SCALE);
  }

  private static ComparableBytes key(byte[] bytes) {
    ComparableBytes key = new ComparableBytes();
    key.append(bytes, 0, bytes.length);
    return key;
  }

  /** Keys of few or many different bytes, short or long, some the beginnings of others. */
  private void addRandomKeys(Random random) {
    boolean areLong = random.nextInt(6) == 0;
    int count = random.nextInt(areLong ? 60 : 1 << random.nextInt(13));
    int different = 1 + random.nextInt(1 << random.nextInt(9));
    int most = 1 + random.nextInt(areLong ? 5000 : 12);
    byte[] before = {};
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[random.nextInt(most)];
      for (int k = 0; k < bytes.length; k++) {
        bytes[k] = (byte) (random.nextInt(different) * 37);
      }
      if (areLong) {
        System.arraycopy(
            before, 0, bytes, 0, random.nextInt(1 + Math.min(before.length, bytes.length)));
      }
      before = bytes;
      entries.put(bytes, random.nextLong() >> random.nextInt(64));
    }
  }

  private long write(PagedOutput out) throws IOException {
    TrieWriter writer = new TrieWriter(out, PAYLOAD_BYTES);
    byte[] payload = new byte[PAYLOAD_BYTES];
    for (Map.Entry<byte[], Long> entry : entries.entrySet()) {
      long value = entry.getValue();
      for (int i = 0; i < Long.BYTES; i++) {
        payload[i] = (byte) (value >>> 8 * (Long.BYTES - 1 - i));
      }
      // Lengths of payloads differ.
      int length = Long.BYTES + (int) (value & 1);
      writer.add(key(entry.getKey()), 8 + (int) (value & 7), payload, length);
    }
    long root = writer.complete();
    assertThat(writer.count()).isEqualTo(entries.size());
    out.sync();
    return root;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void hasTheEntriesOfASortedMap(long seed) throws IOException {
    Random random = new Random(seed);
    addRandomKeys(random);
    JumpingFile file = new JumpingFile(random, random.nextBoolean() ? 0 : 1 + random.nextInt(34));
    long root = write(new PagedOutput(file));
    TrieCursor cursor = new TrieCursor(file);
    cursor.open(root);
    for (Map.Entry<byte[], Long> entry : entries.entrySet()) {
      assertThat(cursor.next()).as("seed %s", seed).isTrue();
      check(seed, cursor, entry);
    }
    assertThat(cursor.next()).as("seed %s", seed).isFalse();
    assertThat(cursor.toLast()).as("seed %s", seed).isEqualTo(!entries.isEmpty());
    int left = entries.size();
    for (Map.Entry<byte[], Long> entry : entries.descendingMap().entrySet()) {
      check(seed, cursor, entry);
      assertThat(cursor.previous()).as("seed %s", seed).isEqualTo(--left > 0);
    }
    for (int i = 0; i < 200; i++) {
      search(seed, random, cursor);
    }
  }

  private static void check(long seed, TrieCursor cursor, Map.Entry<byte[], Long> entry)
      throws IOException {
    ComparableBytes found = new ComparableBytes();
    cursor.copyKeyTo(found);
    assertThat(found.toByteArray()).as("seed %s", seed).isEqualTo(entry.getKey());
    checkPayload(seed, cursor, entry.getValue());
  }

  private static void checkPayload(long seed, TrieCursor cursor, long value) throws IOException {
    cursor.checkPayload(Long.BYTES);
    assertThat(cursor.payloadNumber(0, Long.BYTES)).as("seed %s", seed).isEqualTo(value);
    assertThat(cursor.payloadBits()).as("seed %s", seed).isEqualTo(8 + (int) (value & 7));
  }

  private void search(long seed, Random random, TrieCursor cursor) throws IOException {
    byte[] bytes = new byte[random.nextInt(6)];
    random.nextBytes(bytes);
    if (!entries.isEmpty() && random.nextInt(3) != 0) {
      Map.Entry<byte[], Long> near = entries.ceilingEntry(bytes);
      bytes = (near == null ? entries.firstKey() : near.getKey()).clone();
      if (random.nextBoolean()) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 3));
      }
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[random.nextInt(bytes.length)] += (byte) (random.nextInt(3) - 1);
      }
    }
    Map.Entry<byte[], Long> floor = entries.floorEntry(bytes);
    assertThat(cursor.seekFloor(key(bytes))).as("seed %s", seed).isEqualTo(floor != null);
    if (floor != null) {
      check(seed, cursor, floor);
      assertThat(cursor.isPrefix())
          .as("seed %s", seed)
          .isEqualTo(startsWith(bytes, floor.getKey()));
      assertThat(cursor.isOf(key(bytes))).as("seed %s", seed).isEqualTo(cursor.isPrefix());
    }
    Map.Entry<byte[], Long> higher = entries.higherEntry(bytes);
    assertThat(cursor.next()).as("seed %s", seed).isEqualTo(higher != null);
    if (higher != null) {
      check(seed, cursor, higher);
    }
    // Found are exact keys, and others if nothing in the trie goes on in another way.
    Long value = entries.get(bytes);
    boolean found = cursor.find(key(bytes));
    if (value != null) {
      assertThat(found).as("seed %s", seed).isTrue();
      checkPayload(seed, cursor, value);
      assertThat(cursor.matched()).as("seed %s", seed).isEqualTo(bytes.length);
    } else if (found) {
      byte[] beginning = Arrays.copyOf(bytes, cursor.matched());
      checkPayload(seed, cursor, entries.get(beginning));
      Map.Entry<byte[], Long> next = entries.higherEntry(beginning);
      assertThat(next != null && startsWith(next.getKey(), beginning))
          .as("seed %s", seed)
          .isFalse();
    }
  }

  private static boolean startsWith(byte[] bytes, byte[] beginning) {
    return bytes.length >= beginning.length
        && Arrays.equals(bytes, 0, beginning.length, beginning, 0, beginning.length);
  }

  /** Each form of node is written for some distance and some number of children. */
  @Test
  void allFormsOfNodesAreWrittenAndRead() throws IOException {
    EnumSet<NodeType> seen = EnumSet.noneOf(NodeType.class);
    for (int jumpBits : new int[] {0, 0, 5, 12, 20, 28, 36, 44, 44, 44}) {
      Random random = new Random(jumpBits);
      addKeysOfAllBytes(random);
      JumpingFile file = new JumpingFile(random, jumpBits);
      long root = write(new PagedOutput(file));
      collect(new NodeReader(file), file, root, seen);
      TrieCursor cursor = new TrieCursor(file);
      cursor.open(root);
      for (Map.Entry<byte[], Long> entry : entries.entrySet()) {
        assertThat(cursor.next()).isTrue();
        check(jumpBits, cursor, entry);
      }
      // The first trie is smaller than 64 KiB.
      addGroupsOfAboutAPage(random);
    }
    assertThat(seen).isEqualTo(EnumSet.allOf(NodeType.class));
  }

  /** Groups of keys that are a little shorter or longer than a page, after bytes in common. */
  private void addGroupsOfAboutAPage(Random random) {
    for (int group = 0; group < 60; group++) {
      byte[] common = new byte[2 + random.nextInt(40)];
      random.nextBytes(common);
      for (int i = 150 + random.nextInt(250); i > 0; i--) {
        byte[] bytes = Arrays.copyOf(common, common.length + 1 + random.nextInt(2));
        bytes[bytes.length - 1] = (byte) random.nextInt();
        if (bytes.length > common.length + 1) {
          bytes[common.length] = (byte) (random.nextInt(8) * 31);
        }
        entries.put(bytes, 1L);
      }
      entries.put(new byte[] {common[0]}, 1L);
    }
  }

  private void addKeysOfAllBytes(Random random) {
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[4];
      random.nextBytes(bytes);
      bytes[0] = (byte) (random.nextInt(3) * 40);
      entries.put(bytes, 1L);
    }
  }

  private static void collect(
      NodeReader node, JumpingFile file, long position, EnumSet<NodeType> seen) throws IOException {
    long start = position & -PagedOutput.PAGE_BYTES;
    seen.add(NodeType.ofFirstByte(file.page(start).get((int) (position - start))));
    node.go(position);
    List<Long> children = new ArrayList<>();
    for (int slot = node.slotFrom(0); slot >= 0; slot = node.slotFrom(slot + 1)) {
      children.add(node.child(slot));
    }
    for (long child : children) {
      collect(node, file, child, seen);
    }
  }

  @Test
  void aTrieWithoutEntriesIsALeaf() throws IOException {
    JumpingFile file = new JumpingFile(new Random(1), 0);
    long root = write(new PagedOutput(file));
    assertThat(file.length()).isEqualTo(1);
    TrieCursor cursor = new TrieCursor(file);
    cursor.open(root);
    assertThat(cursor.next()).isFalse();
    assertThat(cursor.toLast()).isFalse();
    assertThat(cursor.find(key(new byte[] {1}))).isFalse();
    assertThat(cursor.seekFloor(key(new byte[] {1}))).isFalse();
  }

  @Test
  void keysThatAreNotGreaterAreRefused() throws IOException {
    TrieWriter writer = new TrieWriter(new PagedOutput(new JumpingFile(new Random(1), 0)), 1);
    writer.add(key(new byte[] {5, 6}), 1, new byte[1], 1);
    for (byte[] bytes : new byte[][] {{5, 6}, {5}, {}, {4, 7}, {5, 5, 9}}) {
      assertThatThrownBy(() -> writer.add(key(bytes), 1, new byte[1], 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("comes after 0x0506");
    }
  }

  /** Flipped bits give an exception that names the place, or a trie that ends. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aWalkOverDamagedBytesEnds(long seed) throws IOException {
    Random random = new Random(seed);
    while (entries.size() < 50) {
      addRandomKeys(random);
    }
    JumpingFile file = new JumpingFile(random, 0);
    long root = write(new PagedOutput(file));
    List<byte[]> pages = new ArrayList<>(file.pages().values());
    int damaged = 0;
    for (int i = 0; i < 40; i++) {
      byte[] page = pages.get(random.nextInt(pages.size()));
      int at = random.nextInt((int) Math.min(page.length, file.length()));
      byte before = page[at];
      page[at] ^= (byte) (1 << random.nextInt(8));
      try {
        walk(new TrieCursor(file), root, random);
      } catch (CorruptSSTableException e) {
        assertThat(e.path()).isEqualTo("jumping");
        assertThat(e.offset()).isBetween(0L, file.length());
        damaged++;
      } catch (RuntimeException e) {
        fail("seed " + seed, e);
      }
      page[at] = before;
    }
    assertThat(damaged).as("seed %s", seed).isGreaterThan(0);
  }

  private void walk(TrieCursor cursor, long root, Random random) throws IOException {
    cursor.open(root);
    int count = 0;
    while (cursor.next() && count < 2 * entries.size()) {
      count++;
      cursor.checkPayload(Long.BYTES);
    }
    cursor.toLast();
    while (cursor.previous() && count > 0) {
      count--;
    }
    for (int i = 0; i < 10; i++) {
      byte[] bytes = new byte[random.nextInt(6)];
      random.nextBytes(bytes);
      ComparableBytes key = key(random.nextBoolean() ? bytes : entries.firstKey());
      cursor.seekFloor(key);
      cursor.find(key);
    }
  }

  @Test
  void aPointerToANodeOutsideOfTheFileNamesItsPlace() throws IOException {
    JumpingFile file = new JumpingFile(new Random(1), 0);
    PagedOutput out = new PagedOutput(file);
    // A node of one child eight bytes before it, where there is none.
    out.write(new byte[] {0x18, 'a'}, 0, 2);
    out.sync();
    TrieCursor cursor = new TrieCursor(file);
    cursor.open(0);
    assertThatThrownBy(cursor::next)
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("at offset 0: a trie node whose child is 8 bytes before it");
    cursor.open(77);
    assertThatThrownBy(cursor::next)
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("a trie node at 77, nodes are before 2");
  }

  @Test
  void writesAndSearchesAllocateNothingPerKey() throws IOException {
    JumpingFile file = new JumpingFile(new Random(1), 0);
    PagedOutput out = new PagedOutput(file);
    TrieWriter writer = new TrieWriter(out, 1);
    ComparableBytes key = new ComparableBytes();
    long root = add(writer, key, 20_000);
    int capacity = writer.capacity();
    writer.reset();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    root = add(writer, key, 20_000);
    long written = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(writer.capacity()).isEqualTo(capacity);
    // The file in memory takes its own pages, and the list of children of each written node is one.
    assertThat(written).as("bytes of 20,000 keys").isLessThan(12L * 20_000);

    out.sync();
    TrieCursor cursor = new TrieCursor(file);
    cursor.open(root);
    search(cursor, key, 20_000);
    before = THREADS.getCurrentThreadAllocatedBytes();
    int found = search(cursor, key, 20_000);
    long searched = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(found).isEqualTo(40_000);
    assertThat(searched).as("bytes of 40,000 searches").isLessThan(40_000);
  }

  private static long add(TrieWriter writer, ComparableBytes key, int count) throws IOException {
    byte[] payload = {1};
    for (int i = 0; i < count; i++) {
      key.clear();
      key.appendLong(i * 7919L);
      writer.add(key, 1, payload, 1);
    }
    return writer.complete();
  }

  private static int search(TrieCursor cursor, ComparableBytes key, int count) throws IOException {
    int found = 0;
    for (int i = 0; i < count; i++) {
      key.clear();
      key.appendLong(i * 7919L);
      found += cursor.find(key) ? 1 : 0;
      found += cursor.seekFloor(key) ? 1 : 0;
    }
    return found;
  }
}
