"""What templates become as Python.

Jinja2 makes calls of what a letter does a thousand times, with a board of 81 squares in a view
made of dicts.  Where the common case needs no call, none is written.
"""

from __future__ import annotations

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst


class Compiler(CodeGenerator):
    """Looks for the key of a dict where it stands, and before an attribute; escapes no Markup again."""

    _shown = ""
    """The variable that holds what is being put out."""

    @optimizeconst
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - so Jinja2 calls it
        """Write ``x.name`` as a look-up in the dict that *x* mostly is."""
        found, key = self.temporary_identifier(), repr(node.attr)
        self.write(f"({found}[{key}] if ({found} := ")
        self.visit(node.node, frame)
        self.write(f").__class__ is dict and {key} in {found} else environment.getattr({found}, {key}))")

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if frame.eval_ctx.autoescape:
            self._shown = self.temporary_identifier()
            self.write(f"({self._shown} if ({self._shown} := ")
        else:
            self.write("str(")

    def _output_child_post(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        self.write(f").__class__ is Markup else escape({self._shown}))" if frame.eval_ctx.autoescape else ")")
