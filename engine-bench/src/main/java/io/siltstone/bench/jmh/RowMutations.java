package io.siltstone.bench.jmh;

import io.siltstone.bench.TextRows;
import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlTypes;
import java.time.InstantSource;

/** Mutations that insert one row each. Immutable. */
final class RowMutations {
  private static final TableSchema SCHEMA =
      TableSchema.builder("bench", "rows")
          .partitionKey("k", CqlTypes.BIGINT)
          .regular("v", CqlTypes.TEXT)
          .build();

  private final RowEncoding encoding = new RowEncoding(TextRows.HEADER, true);
  private final Mutation[] mutations;

  RowMutations(int count) {
    TextRows rows = new TextRows(count, TextRows.SHORTEST, TextRows.LONGEST);
    MutationFactory factory =
        new MutationFactory(
            SCHEMA,
            encoding,
            Partitioner.MURMUR3,
            WriteClock.following(InstantSource.system()),
            new ListPaths(InstantSource.system(), 1));
    mutations = new Mutation[count];
    for (int i = 0; i < count; i++) {
      mutations[i] =
          factory
              .mutation((long) i)
              .timestamp(TextRows.TIMESTAMP + 1)
              .insert()
              .set("v", rows.value(i))
              .build();
    }
  }

  RowEncoding encoding() {
    return encoding;
  }

  int count() {
    return mutations.length;
  }

  /** Points a view at the update of a mutation. */
  PartitionUpdate wrap(int index, PartitionUpdate view) {
    MutationFactory.wrap(mutations[index], view);
    return view;
  }
}
