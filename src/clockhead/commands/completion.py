"""`clockhead completion`: what a shell needs to complete commands, films, shots and inputs.

Click does the work. Its scripts are replaced because they know a program by one name on the PATH,
and `./clockhead` is none; because they put a blank behind `input=`; and because Bash cuts words at
`=` and `:`, which click does not expect.
"""

from __future__ import annotations

import os
import re
from typing import Any, ClassVar

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from clockhead.places import NAME

VARIABLE = "_CLOCKHEAD_COMPLETE"
"""Tells Clockhead that a shell asks, and which; click's own name for it."""

_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' line type value
    COMPREPLY=()
    for line in $(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" \\
        COMP_WORDBREAKS="$COMP_WORDBREAKS" %(complete_var)s=bash_complete \\
        "${1/#\\~/$HOME}" 2>/dev/null); do
        IFS=, read -r type value <<<"$line"
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
        [[ $value != *= ]] || compopt -o nospace
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

_ZSH = """\
#compdef %(prog_name)s
%(complete_func)s() {
    local type value about
    local -a reply plain described open
    reply=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT - 1)) \\
        %(complete_var)s=zsh_complete "${(Q)words[1]/#\\~/$HOME}" 2>/dev/null)}")
    for type value about in $reply; do
        case $type in
            dir) compset -P '--*='; _path_files -/ ;;
            file) compset -P '--*='; _path_files -f ;;
            plain)
                if [[ $value == *= ]]; then
                    open+=("$value:$about")
                elif [[ $about == _ ]]; then
                    plain+=("$value")
                else
                    described+=("$value:$about")
                fi ;;
        esac
    done
    (( ! $#described )) || _describe -V described described -U
    (( ! $#open )) || _describe -V open open -U -S ''
    (( ! $#plain )) || compadd -U -V plain -a plain
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
    compdef %(complete_func)s %(prog_name)s
fi
"""

_FISH = """\
function %(complete_func)s
    set -l words (commandline -op)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    for line in (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp) \\
            COMP_CWORD=(commandline -t) $program 2>/dev/null)
        set -l reply (string split -m 1 , -- $line)
        switch $reply[1]
            case dir
                __fish_complete_directories $reply[2]
            case file
                __fish_complete_path $reply[2]
            case plain
                echo $reply[2]
        end
    end
end
complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


class _Quiet(ShellComplete):
    """Offers nothing where something is wrong: nobody is to be told in the middle of a line."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """What fits, as whole words: behind `--set=te` stands `--set=text=`."""
        try:
            items = super().get_completions(args, incomplete)
        except Exception:
            return []
        option = re.match(r"--[\w-]+=", incomplete)
        for item in items:
            if option and item.type == "plain":
                item.value = option[0] + item.value
        return items


class _Bash(_Quiet, BashComplete):
    source_template: ClassVar[str] = _BASH
    _known = 0
    """Characters of the word that Bash takes for a word of its own, and keeps."""

    def get_completion_args(self) -> tuple[list[str], str]:
        # Something at the end of the line makes a word of what follows a blank.
        words = split_arg_string(os.environ["COMP_LINE"] + ".")
        while words and re.match(r"\w+=", words[0]):  # VARIABLE=value clockhead
            del words[0]
        *args, incomplete = words[1:]
        incomplete = incomplete[:-1]
        breaks = {"=", ":"} & set(os.environ.get("COMP_WORDBREAKS", ""))
        self._known = max((incomplete.rfind(character) + 1 for character in breaks), default=0)
        return args, incomplete

    def format_completion(self, item: CompletionItem[Any]) -> str:
        return f"{item.type},{item.value[self._known :]}"


class _Zsh(_Quiet, ZshComplete):
    source_template: ClassVar[str] = _ZSH


class _Fish(_Quiet, FishComplete):
    source_template: ClassVar[str] = _FISH


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}
for _name, _class in SHELLS.items():
    add_completion_class(_class, _name)


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that lets a shell complete what you type.

    It serves an installed clockhead and ./clockhead alike. In ~/.bashrc or ~/.zshrc (fish: in
    ~/.config/fish/config.fish, piped into source), with the path to your clockhead:

    \b
      eval "$(clockhead completion bash)"
      eval "$(clockhead completion zsh)"
      clockhead completion fish | source
    """
    script = SHELLS[shell](context.find_root().command, {}, NAME, VARIABLE)
    click.echo(script.source(), nl=False)
