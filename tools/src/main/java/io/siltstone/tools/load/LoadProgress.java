package io.siltstone.tools.load;

/** Receives the progress of a load from time to time. */
interface LoadProgress {
  /** Ignores progress. */
  LoadProgress NONE =
      new LoadProgress() {
        @Override
        public void read(long bytes, long rows) {}

        @Override
        public void written(long records, long of) {}

        @Override
        public void end() {}
      };

  /** Receives the bytes and rows read so far. */
  void read(long bytes, long rows);

  /** Receives the number of records written so far, and of all records. */
  void written(long records, long of);

  /** Ends the progress. */
  void end();
}
