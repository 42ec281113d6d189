package io.siltstone.campaigns.damage;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a directory with the modification times of the original files, because transaction logs
 * contain these times.
 */
final class TimedDirectory extends ForwardingDirectory {
  private final String prefix;
  private final Map<String, Long> times;

  /**
   * Wraps a copy.
   *
   * @param times by the paths of files below the directory; for others the directory itself is
   *     asked
   */
  TimedDirectory(Directory copy, Map<String, Long> times) {
    this(copy, "", new ConcurrentHashMap<>(times));
  }

  private TimedDirectory(Directory copy, String prefix, Map<String, Long> times) {
    super(copy);
    this.prefix = prefix;
    this.times = times;
  }

  @Override
  public Directory directory(String name) throws IOException {
    return new TimedDirectory(super.directory(name), prefix + name + "/", times);
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    Long time = times.get(prefix + name);
    return time == null ? super.lastModifiedMillis(name) : time;
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    times.remove(prefix + name);
    return super.create(name, intent);
  }

  @Override
  public WritableFile append(String name) throws IOException {
    times.remove(prefix + name);
    return super.append(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    super.rename(from, to);
    move(prefix + from, prefix + to, true);
  }

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    super.link(existing, target, name);
    if (target instanceof TimedDirectory other) {
      move(prefix + existing, other.prefix + name, false);
    }
  }

  private void move(String from, String to, boolean isRenamed) {
    @Nullable Long time = isRenamed ? times.remove(from) : times.get(from);
    times.remove(to);
    if (time != null) {
      times.put(to, time);
    }
  }
}
