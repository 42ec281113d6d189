package io.siltstone.commitlog.segment;

import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.List;

/** Where the segments of a log are read from. Confined to one thread. */
interface SegmentSource {
  /** The path of their directory, for messages. */
  String path();

  /** Their ids, ascending. */
  List<Long> ids() throws IOException;

  /** Opens one, to be closed by the caller. */
  SegmentReader open(long id) throws IOException;

  /** The segments of a directory that nobody changes meanwhile, of which one is open at a time. */
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
