package io.siltstone.sstable;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A directory that shows a finished, unpublished SSTable under its final names, so that it can be
 * opened for verification.
 */
final class TemporaryNames extends ForwardingDirectory {
  private final Map<String, String> temporary = new HashMap<>();

  TemporaryNames(Directory directory, Descriptor descriptor, OutputFiles files) {
    super(directory);
    for (Component component : descriptor.version().components()) {
      if (files.has(component)) {
        temporary.put(descriptor.fileName(component), files.temporary(component));
      }
    }
  }

  private String actual(String name) {
    return temporary.getOrDefault(name, name);
  }

  @Override
  public List<String> files() throws IOException {
    List<String> names = new ArrayList<>(super.files());
    names.addAll(temporary.keySet());
    Collections.sort(names);
    return names;
  }

  @Override
  public boolean exists(String name) throws IOException {
    return super.exists(actual(name));
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
