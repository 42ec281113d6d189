package io.siltstone.sstable;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A directory in which some files appear replaced by others, or missing, so that an SSTable can be
 * opened with components that have temporary names. Only for reading; confined to one thread.
 */
final class OverlaidDirectory extends ForwardingDirectory {
  private final Map<String, String> replaced = new HashMap<>();
  private final Set<String> hidden = new HashSet<>();

  OverlaidDirectory(Directory files) {
    super(files);
  }

  /** Makes a name refer to another file from now on. */
  void replace(String name, String by) {
    hidden.remove(name);
    replaced.put(name, by);
  }

  /** Makes a file appear missing from now on. */
  void hide(String name) {
    replaced.remove(name);
    hidden.add(name);
  }

  private String actual(String name) {
    return replaced.getOrDefault(name, name);
  }

  @Override
  public boolean exists(String name) throws IOException {
    return !hidden.contains(name) && super.exists(actual(name));
  }

  @Override
  public long length(String name) throws IOException {
    return super.length(actual(name));
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return super.lastModifiedMillis(actual(name));
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    return super.open(actual(name), intent);
  }
}
