package io.siltstone.spark;

import java.net.URI;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A file system of Hadoop that is not that of the machine, though its files are there. */
public final class OtherFileSystem extends RawLocalFileSystem {
  @Override
  public URI getUri() {
    return URI.create("other:///");
  }

  @Override
  public String getScheme() {
    return "other";
  }
}
