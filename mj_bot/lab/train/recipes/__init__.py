"""Names the recipes; each is one system in a file of its own, and train/training_loop.py trains them all."""

# {name of the recipe: "MODULE:CLASS"}
RECIPES = {
    "ours": "mj_bot.lab.train.recipes.ours:Ours",
    "small": "mj_bot.lab.train.recipes.ours:Small",
    "rl-final": "mj_bot.lab.train.recipes.rl_final:RlFinal",
    "haibara": "mj_bot.lab.train.recipes.haibara:Haibara",
    "fox": "mj_bot.lab.train.recipes.fox_thinker:Fox",
    "res600": "mj_bot.lab.train.recipes.res600:Res600",
    "suphx": "mj_bot.lab.train.recipes.suphx:Suphx",
}
