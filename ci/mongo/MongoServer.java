import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/**
 * `java -cp JARS MongoServer.java [PORT]`: a server that speaks MongoDB's protocol and keeps everything in memory, for the job tests.
 * Prints its address and runs until it is killed. (FerretDB v1 is unsuitable: its findAndModify is not atomic, so two daemons can get the
 * same job.)
 */
class MongoServer {
  public static void main(String[] arguments) throws Exception {
    // The server announces wire version 8, which the current driver refuses. 13 is that of MongoDB 5.0, and the server has all that Agenda
    // uses.
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
