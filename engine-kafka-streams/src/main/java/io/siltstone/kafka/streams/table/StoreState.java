package io.siltstone.kafka.streams.table;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.query.Position;

/**
 * The state of a store, kept beside its entries and written with them: up to where it has its
 * changelog, up to where its input was processed, and whether it was closed.
 *
 * @param isOpen whether a store that does not stage its changes has been open since, so that its
 *     entries may be ahead of the offsets
 * @param streamTime the greatest timestamp that was observed, which decides what has expired; -1
 *     for none
 * @param offsets the committed offset of each changelog partition
 * @param position the offsets of input partitions whose effects the entries have
 */
public record StoreState(
    boolean isOpen, long streamTime, Map<TopicPartition, Long> offsets, Position position) {
  /** The state of a store without entries. */
  public static final StoreState NEW =
      new StoreState(false, -1, Map.of(), Position.emptyPosition());

  private static final byte VERSION = 1;

  /** Copies the offsets and the position. */
  public StoreState {
    offsets = Map.copyOf(offsets);
    position = position.copy();
  }

  /** Returns a copy of the position, which the caller may change. */
  @Override
  public Position position() {
    return position.copy();
  }

  /** Returns the state with another mark. */
  public StoreState withOpen(boolean open) {
    return new StoreState(open, streamTime, offsets, position);
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.writeBoolean(isOpen);
      out.writeLong(streamTime);
      out.writeInt(offsets.size());
      for (Map.Entry<TopicPartition, Long> each : offsets.entrySet()) {
        write(out, each.getKey().topic(), each.getKey().partition(), each.getValue());
      }
      Map<TopicPartition, Long> positions = new TreeMap<>(StoreState::compare);
      for (String topic : position.getTopics()) {
        position
            .getPartitionPositions(topic)
            .forEach((partition, at) -> positions.put(new TopicPartition(topic, partition), at));
      }
      out.writeInt(positions.size());
      for (Map.Entry<TopicPartition, Long> each : positions.entrySet()) {
        write(out, each.getKey().topic(), each.getKey().partition(), each.getValue());
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of an array, which does not fail
    }
    return bytes.toByteArray();
  }

  private static int compare(TopicPartition a, TopicPartition b) {
    int topics = a.topic().compareTo(b.topic());
    return topics != 0 ? topics : Integer.compare(a.partition(), b.partition());
  }

  private static void write(DataOutputStream out, String topic, int partition, long offset)
      throws IOException {
    out.writeUTF(topic);
    out.writeInt(partition);
    out.writeLong(offset);
  }

  /**
   * Reads what {@link #toBytes} returned.
   *
   * @param store named in messages
   * @throws IOException if it is of a version that is not known
   */
  static StoreState of(byte[] bytes, String store) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    byte version = in.readByte();
    if (version != VERSION) {
      throw new IOException(
          "the offsets of "
              + store
              + " have the version "
              + version
              + ", readable is "
              + VERSION
              + ": delete the directory of the task, so that the store is restored");
    }
    boolean isOpen = in.readBoolean();
    long streamTime = in.readLong();
    Map<TopicPartition, Long> offsets = new TreeMap<>(StoreState::compare);
    for (int left = in.readInt(); left > 0; left--) {
      offsets.put(new TopicPartition(in.readUTF(), in.readInt()), in.readLong());
    }
    Position position = Position.emptyPosition();
    for (int left = in.readInt(); left > 0; left--) {
      position.withComponent(in.readUTF(), in.readInt(), in.readLong());
    }
    return new StoreState(isOpen, streamTime, offsets, position);
  }
}
