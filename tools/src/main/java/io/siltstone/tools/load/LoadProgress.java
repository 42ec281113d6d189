package io.siltstone.tools.load;

/** Told from time to time how far a load is. */
interface LoadProgress {
  /** Nobody wants to know. */
  LoadProgress NONE =
      new LoadProgress() {
        @Override
        public void read(long bytes, long rows) {}

        @Override
        public void written(long records, long of) {}

        @Override
        public void end() {}
      };

  /** Rows and bytes read. */
  void read(long bytes, long rows);

  /** Records written of all. */
  void written(long records, long of);

  /** No more will come. */
  void end();
}
