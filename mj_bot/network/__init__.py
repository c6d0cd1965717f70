"""What the networks see and how they answer: encoders from a state, the forward pass in numpy, weights."""
