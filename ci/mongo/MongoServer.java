import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/**
 * `java -cp JARS MongoServer.java [PORT]`: a server that speaks MongoDB's protocol and keeps everything in memory, for the
 * job tests. Prints its address and runs until it is killed. (FerretDB v1 will not do: its findAndModify is no atomic step, so two daemons can get one job.)
 */
class MongoServer {
  public static void main(String[] arguments) throws Exception {
    // It says 8 of itself, which today's driver refuses; 13 is what MongoDB 5.0 says, and all that Agenda uses is there.
    var wireVersion = ServerVersion.class.getDeclaredField("wireVersion");
    wireVersion.setAccessible(true);
    wireVersion.set(ServerVersion.MONGO_5_0, 13);
    var server = new de.bwaldvogel.mongo.MongoServer(new MemoryBackend().version(ServerVersion.MONGO_5_0));
    if (arguments.length == 0) {
      System.out.println(server.bindAndGetConnectionString());
    } else {
      server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
      System.out.println("mongodb://127.0.0.1:" + arguments[0]);
    }
    Thread.currentThread().join();
  }
}
