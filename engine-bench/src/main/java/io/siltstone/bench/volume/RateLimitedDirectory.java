package io.siltstone.bench.volume;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;

/**
 * A directory whose files and child directories are read through one {@link ReadRateLimiter}. Every
 * read of the engine counts, even one that the page cache answers. Everything else is delegated.
 */
public final class RateLimitedDirectory extends ForwardingDirectory {
  private final ReadRateLimiter gate;

  /** Wraps a directory. */
  public RateLimitedDirectory(Directory directory, ReadRateLimiter gate) {
    super(directory);
    this.gate = gate;
  }

  @Override
  public Directory directory(String name) throws IOException {
    return new RateLimitedDirectory(super.directory(name), gate);
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    return new RateLimitedFile(super.open(name, intent), gate);
  }
}
