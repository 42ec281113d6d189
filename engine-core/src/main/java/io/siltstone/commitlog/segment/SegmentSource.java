package io.siltstone.commitlog.segment;

import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.List;

/** The source of the commit-log segments to be read. Confined to one thread. */
interface SegmentSource {
  /** Returns the path of their directory, for messages. */
  String path();

  /** Returns the ids of the segments, ascending. */
  List<Long> ids() throws IOException;

  /** Opens a segment; the caller closes it. */
  SegmentReader open(long id) throws IOException;

  /**
   * Returns the segments of a directory that no other process changes; one of them is open at a
   * time.
   */
  static SegmentSource of(Directory directory) {
    return new SegmentSource() {
      @Override
      public String path() {
        return directory.path();
      }

      @Override
      public List<Long> ids() throws IOException {
        return CommitLogReplay.ids(directory);
      }

      @Override
      public SegmentReader open(long id) throws IOException {
        return SegmentReader.open(directory, id);
      }
    };
  }
}
