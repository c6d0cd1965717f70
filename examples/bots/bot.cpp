// A bot in C++ for Botzone's simplified interaction: it discards what it draws. Write your own choose().
//     g++ -O2 -o bot bot.cpp

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// true for a bot version with the long-running setting on Botzone, and for no other.
const bool KEEP_RUNNING = false;

// Returns the answer to the last of the requests so far; each is a text such as "2 W1", a draw of W1.
std::string choose(const std::vector<std::string>& requests) {
    std::istringstream words(requests.back());
    std::string kind, tile;
    words >> kind >> tile;
    return kind == "2" ? "PLAY " + tile : "PASS";
}

int main() {
    // The first input: a line n, then 2n - 1 lines request, response, request ...
    std::string line;
    std::getline(std::cin, line);
    const int count = std::stoi(line);
    std::vector<std::string> requests;
    for (int i = 0; i < 2 * count - 1; ++i) {
        std::getline(std::cin, line);
        if (i % 2 == 0) requests.push_back(line);
    }
    while (true) {
        std::cout << choose(requests) << std::endl;
        if (!KEEP_RUNNING) return 0;
        std::cout << ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<" << std::endl;
        // Each later input is one line with the new request; the first input ends with empty lines.
        do {
            if (!std::getline(std::cin, line)) return 0;
        } while (line.empty());
        requests.push_back(line);
    }
}
