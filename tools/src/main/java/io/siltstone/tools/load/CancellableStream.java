package io.siltstone.tools.load;

import java.io.IOException;

/** A stream of records that throws when the load is stopped. Closes the stream that it wraps. */
final class CancellableStream implements RecordStream {
  private final RecordStream records;
  private final CancelFlag stop;

  CancellableStream(RecordStream records, CancelFlag stop) {
    this.records = records;
    this.stop = stop;
  }

  @Override
  public boolean next() throws IOException {
    stop.check();
    return records.next();
  }

  @Override
  public byte[] bytes() {
    return records.bytes();
  }

  @Override
  public int from() {
    return records.from();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
