// A bot in Java for Botzone's simplified interaction: it discards what it draws. Write your own choose().
//     javac Main.java && java Main

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

class Main {
    // true for a bot version with the long-running setting on Botzone, and for no other.
    static final boolean KEEP_RUNNING = false;

    // Returns the answer to the last of the requests so far; each is a text such as "2 W1", a draw of W1.
    static String choose(List<String> requests) {
        String[] words = requests.get(requests.size() - 1).trim().split(" ");
        return words[0].equals("2") ? "PLAY " + words[1] : "PASS";
    }

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        // The first input: a line n, then 2n - 1 lines request, response, request ...
        int count = Integer.parseInt(input.readLine().trim());
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 2 * count - 1; i++) {
            String line = input.readLine();
            if (i % 2 == 0) requests.add(line);
        }
        while (true) {
            System.out.println(choose(requests));
            if (!KEEP_RUNNING) return;
            System.out.println(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<");
            System.out.flush();
            // Each later input is one line with the new request; the first input ends with empty lines.
            String line;
            do {
                line = input.readLine();
                if (line == null) return;
            } while (line.trim().isEmpty());
            requests.add(line);
        }
    }
}
