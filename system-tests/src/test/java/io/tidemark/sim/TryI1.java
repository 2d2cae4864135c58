package io.tidemark.sim;
import io.tidemark.replication.partition.TruncationMode;
import java.time.Duration;
public class TryI1 {
  public static void main(String[] a) {
    SimWorld world = new SimWorld(1);
    SimCluster c = new SimCluster(world, 3, SimSettings.of(TruncationMode.valueOf(a[0])));
    try { TruncationScenario.run(c); } catch (RuntimeException e) { System.out.println("EXC " + e); e.printStackTrace(System.out); }
    world.trace().forEach(System.out::println);
  }
}
