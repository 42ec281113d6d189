package io.siltstone.spark.files;

import java.io.Serializable;

/**
 * A file of a table, as the driver has listed it.
 *
 * @param name by which the table knows it: its own, or another one if the table lies in several
 *     directories, since each of these numbers its SSTables from 1 on
 * @param directory the path of the directory that it lies in
 * @param realName its name there
 * @param length in bytes
 * @param modifiedMillis when it was last written, in milliseconds since 1970
 */
public record ListedFile(
    String name, String directory, String realName, long length, long modifiedMillis)
    implements Serializable {

  /** Returns the same file under another name. */
  ListedFile as(String other) {
    return new ListedFile(other, directory, realName, length, modifiedMillis);
  }

  /** Returns the full path of the file. */
  public String path() {
    return directory + "/" + realName;
  }
}
