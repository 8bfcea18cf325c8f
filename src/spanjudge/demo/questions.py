"""What the demo's users ask, and answers that the manual gives on every Python from 3.10 on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Fact:
    """One claim of a ground truth, and the words of the manual that make it true."""

    claim: str
    quote: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the facts that a full answer rests on."""

    text: str
    facts: tuple[Fact, ...]

    @property
    def ground_truth(self) -> str:
        """The claims as one text."""
        return " ".join(fact.claim for fact in self.facts)


def _ask(text: str, *facts: tuple[str, str]) -> Question:
    return Question(text, tuple(Fact(claim, quote) for claim, quote in facts))


QUESTIONS: Final[tuple[Question, ...]] = (
    _ask(
        "What happens to assert statements when optimization is requested with -O?",
        (
            "The code generator emits no code for an assert statement when optimization is requested at compile time.",
            "emits no code for an assert statement when optimization is requested at compile time",
        ),
        (
            'The built-in variable "__debug__" is False when optimization is requested.',
            '"False" when optimization is requested',
        ),
        ('Assignments to "__debug__" are illegal.', 'Assignments to "__debug__" are illegal'),
    ),
    _ask(
        "What does break do to a loop's else clause and to its control target?",
        (
            'The "break" statement terminates the nearest enclosing loop.',
            "It terminates the nearest enclosing loop",
        ),
        ('It skips the optional "else" clause of the loop.', 'skipping the optional "else" clause if the loop has one'),
        (
            'If a "for" loop is terminated by "break", the loop control target keeps its current value.',
            "the loop control target keeps its current value",
        ),
    ),
    _ask(
        "Where may the continue statement occur, and what does it do?",
        (
            'The "continue" statement may only occur syntactically nested in a "for" or "while" loop.',
            '"continue" may only occur syntactically nested in a "for" or "while" loop',
        ),
        (
            "It continues with the next cycle of the nearest enclosing loop.",
            "It continues with the next cycle of the nearest enclosing loop",
        ),
    ),
    _ask(
        "What happens when del deletes a name that is unbound, and in which order are targets deleted?",
        (
            'Deleting an unbound name raises a "NameError" exception.',
            'If the name is unbound, a "NameError" exception will be raised',
        ),
        (
            "Deletion of a target list recursively deletes each target, from left to right.",
            "Deletion of a target list recursively deletes each target, from left to right",
        ),
    ),
    _ask(
        "What does a return statement mean in a generator function?",
        (
            'A "return" statement in a generator function indicates that the generator is done.',
            'the "return" statement indicates that the generator is done',
        ),
        ('It causes "StopIteration" to be raised.', 'will cause "StopIteration" to be raised'),
        (
            'The returned value becomes the "StopIteration.value" attribute.',
            'becomes the "StopIteration.value" attribute',
        ),
    ),
    _ask(
        "Where must names listed in a global statement not be used?",
        (
            'Names listed in a "global" statement must not be used in the same code block textually preceding it.',
            'must not be used in the same code block textually preceding that "global" statement',
        ),
        ('The "global" statement is a directive to the parser.', '"global" is a directive to the parser'),
    ),
    _ask(
        "What do assignments in the suite of a for loop do to its target list, and what remains after the loop?",
        (
            "The for-loop overwrites all previous assignments to the variables in the target list, "
            "including those made in the suite of the for-loop.",
            "This overwrites all previous assignments to those variables including those made in the suite",
        ),
        (
            "Names in the target list are not deleted when the loop is finished.",
            "Names in the target list are not deleted when the loop is finished",
        ),
    ),
    _ask(
        "What does the while statement do when its expression is false?",
        (
            'If the expression is false, the suite of the "else" clause is executed and the loop terminates.',
            'the suite of the "else" clause, if present, is executed and the loop terminates',
        ),
        (
            'The "while" statement is used for repeated execution as long as an expression is true.',
            "used for repeated execution as long as an expression is true",
        ),
    ),
    _ask(
        "When does the with statement call __exit__, and how is an exception suppressed?",
        (
            'If "__enter__()" returns without an error, then "__exit__()" will always be called.',
            'returns without an error, then "__exit__()" will always be called',
        ),
        (
            'If the return value from "__exit__()" was true, the exception is suppressed.',
            "If the return value was true, the exception is suppressed",
        ),
        (
            'If the return value from the "__exit__()" method was false, the exception is reraised.',
            'the return value from the "__exit__()" method was false, the exception is reraised',
        ),
    ),
    _ask(
        "How does using yield in a function definition change the function?",
        (
            "Using yield in a function definition causes that definition to create a generator function.",
            "is sufficient to cause that definition to create a generator function instead of a normal function",
        ),
        (
            "Yield expressions and statements are only used in the body of the generator function.",
            "are only used in the body of the generator function",
        ),
    ),
    _ask(
        "What can functions created with lambda expressions not contain?",
        (
            "Functions created with lambda expressions cannot contain statements or annotations.",
            "functions created with lambda expressions cannot contain statements or annotations",
        ),
        (
            "Lambda expressions are used to create anonymous functions.",
            "are used to create anonymous functions",
        ),
    ),
    _ask(
        "What does raise do without an expression when no exception is active?",
        (
            'If there isn\'t currently an active exception, a "RuntimeError" exception is raised.',
            'a "RuntimeError" exception is raised indicating that this is an error',
        ),
        (
            'If no expressions are present, "raise" re-raises the exception that is currently being handled.',
            'If no expressions are present, "raise" re-raises the exception that is currently being handled',
        ),
    ),
    _ask(
        "How are exceptions chained with the from clause, and how is chaining suppressed?",
        (
            'The second expression is attached to the raised exception as the "__cause__" attribute.',
            'attached to the raised exception as the "__cause__" attribute',
        ),
        (
            'Exception chaining can be explicitly suppressed by specifying "None" in the "from" clause.',
            'Exception chaining can be explicitly suppressed by specifying "None" in the "from" clause',
        ),
    ),
    _ask(
        "When is an object considered false in truth value testing?",
        (
            'By default, an object is considered true unless its class defines a "__bool__()" method '
            'that returns "False" or a "__len__()" method that returns zero.',
            "By default, an object is considered true unless its class defines either",
        ),
        ("Empty sequences and collections are considered false.", "empty sequences and collections"),
    ),
    _ask(
        "What do the operators and and or return?",
        (
            "The operators and and or return the last evaluated argument.",
            "but rather return the last evaluated argument",
        ),
        (
            "The expression x and y first evaluates x; if x is false, its value is returned.",
            'The expression "x and y" first evaluates *x*; if *x* is false, its value is returned',
        ),
    ),
    _ask(
        "How long can integer literals be, and what do underscores in them mean?",
        (
            "There is no limit for the length of integer literals apart from what can be stored in available memory.",
            "There is no limit for the length of integer literals apart from what can be stored in available memory",
        ),
        (
            "Underscores are ignored for determining the numeric value of the literal.",
            "Underscores are ignored for determining the numeric value of the literal",
        ),
        (
            "Leading zeros in a non-zero decimal number are not allowed.",
            "leading zeros in a non-zero decimal number are not allowed",
        ),
    ),
    _ask(
        "What number does an imaginary literal yield?",
        (
            "An imaginary literal yields a complex number with a real part of 0.0.",
            "An imaginary literal yields a complex number with a real part of 0.0",
        ),
        (
            "Complex numbers are represented as a pair of floating-point numbers.",
            "Complex numbers are represented as a pair of floating",
        ),
    ),
    _ask(
        "When does an expression list yield a tuple, and in which order is it evaluated?",
        (
            "An expression list containing at least one comma yields a tuple.",
            "an expression list containing at least one comma yields a tuple",
        ),
        ("The expressions are evaluated from left to right.", "The expressions are evaluated from left to right"),
    ),
    _ask(
        "What happens when the power operator raises 0.0 to a negative power, or a negative number to a fraction?",
        (
            'Raising 0.0 to a negative power results in a "ZeroDivisionError".',
            'to a negative power results in a "ZeroDivisionError"',
        ),
        (
            'Raising a negative number to a fractional power results in a "complex" number.',
            'Raising a negative number to a fractional power results in a "complex" number',
        ),
        (
            "The power operator binds more tightly than unary operators on its left.",
            "The power operator binds more tightly than unary operators on its left",
        ),
    ),
    _ask(
        "How are the left shift and right shift by n bits defined?",
        (
            'A right shift by n bits is defined as floor division by "pow(2,n)".',
            'A right shift by *n* bits is defined as floor division by "pow(2,n)"',
        ),
        (
            'A left shift by n bits is defined as multiplication with "pow(2,n)".',
            'A left shift by *n* bits is defined as multiplication with "pow(2,n)"',
        ),
    ),
    _ask(
        "What does the membership test x in y mean for strings, and for the empty string?",
        (
            'For the string and bytes types, "x in y" is True if and only if x is a substring of y.',
            'For the string and bytes types, "x in y" is "True" if and only if *x* is a substring of *y*',
        ),
        (
            "Empty strings are always considered to be a substring of any other string.",
            "Empty strings are always considered to be a substring of any other string",
        ),
    ),
    _ask(
        "Can the __dict__ attribute of a module be assigned to?",
        (
            'Direct assignment to the "__dict__" attribute of a module is not possible.',
            'direct assignment to the "__dict__" attribute is not possible',
        ),
        (
            "The only special operation on a module is attribute access.",
            "The only special operation on a module is attribute access",
        ),
    ),
    _ask(
        "Where is the wild card form of import allowed, and which names does it bind without __all__?",
        (
            'The wild card form of import, "from module import *", is only allowed at the module level.',
            "is only allowed at the module level",
        ),
        (
            'If "__all__" is not defined, the set of public names includes all names which do not begin with '
            "an underscore character.",
            "includes all names found in the module’s namespace which do not begin with an underscore character",
        ),
    ),
    _ask(
        "What do leading dots mean in a relative import?",
        (
            "One leading dot means the current package where the module making the import exists.",
            "One leading dot means the current package where the module making the import exists",
        ),
        ("Two dots means up one package level.", "Two dots means up one package level"),
    ),
    _ask(
        "Where must future statements appear in a module?",
        (
            "A future statement must appear near the top of the module.",
            "A future statement must appear near the top of the module",
        ),
        (
            "A future statement is a directive to the compiler.",
            "A *future statement* is a directive to the compiler",
        ),
    ),
    _ask(
        "Which exception is raised when a name is not found, and when a local variable is not yet bound?",
        (
            'When a name is not found at all, a "NameError" exception is raised.',
            'When a name is not found at all, a "NameError" exception is raised',
        ),
        (
            '"UnboundLocalError" is a subclass of "NameError".',
            '"UnboundLocalError" is a subclass of "NameError"',
        ),
    ),
    _ask(
        "How long may identifiers be, does case matter, and how are they normalised?",
        ("Identifiers are unlimited in length.", "Identifiers are unlimited in length"),
        ("Case is significant in identifiers.", "Case is significant"),
        (
            "All identifiers are converted into the normal form NFKC while parsing.",
            "All identifiers are converted into the normal form NFKC while parsing",
        ),
    ),
    _ask(
        "When are default parameter values of a function evaluated?",
        (
            "Default parameter values are evaluated from left to right when the function definition is executed.",
            "Default parameter values are evaluated from left to right when the function definition is executed",
        ),
        (
            "The same pre-computed value is used for each call.",
            "value is used for each call",
        ),
    ),
    _ask(
        "What do classes without an inheritance list inherit from, and what is a class definition?",
        (
            'Classes without an inheritance list inherit, by default, from the base class "object".',
            'Classes without an inheritance list inherit, by default, from the base class "object"',
        ),
        ("A class definition is an executable statement.", "A class definition is an executable statement"),
    ),
    _ask(
        "Is a function defined with async def always a coroutine function, and may it use yield from?",
        (
            'Functions defined with "async def" syntax are always coroutine functions, even if they do not contain '
            '"await" or "async" keywords.',
            'Functions defined with "async def" syntax are always coroutine functions',
        ),
        (
            'It is a "SyntaxError" to use a "yield from" expression inside the body of a coroutine function.',
            'It is a "SyntaxError" to use a "yield from" expression inside the body of a coroutine function',
        ),
    ),
    _ask(
        "Which characters may bytes literals contain?",
        ("Bytes literals may only contain ASCII characters.", "They may only contain ASCII characters"),
        (
            "Bytes with a numeric value of 128 or greater must be expressed with escapes.",
            "bytes with a numeric value of 128 or greater must be expressed with escapes",
        ),
    ),
    _ask(
        "Is __del__ always called when the interpreter exits?",
        (
            'It is not guaranteed that "__del__()" methods are called for objects that still exist when the '
            "interpreter exits.",
            'It is not guaranteed that "__del__()" methods are called for objects that still exist when the '
            "interpreter exits",
        ),
    ),
    _ask(
        "Do dictionaries preserve insertion order when a value is replaced or a key is removed and re-inserted?",
        ("Dictionaries preserve insertion order.", "Dictionaries preserve insertion order"),
        (
            "Replacing an existing key does not change the order.",
            "Replacing an existing key does not change the order",
        ),
        (
            "Removing a key and re-inserting it will add it to the end.",
            "removing a key and re-inserting it will add it to the end",
        ),
    ),
    _ask(
        "What does repeating a sequence with s * n do to its items, and for n less than 0?",
        (
            "Items in the sequence s are not copied; they are referenced multiple times.",
            "items in the sequence *s* are not copied; they are referenced multiple times",
        ),
        ("Values of n less than 0 are treated as 0.", 'Values of *n* less than "0" are treated as "0"'),
    ),
    _ask(
        "What happens to __hash__ in a class that overrides __eq__?",
        (
            'A class that overrides "__eq__()" and does not define "__hash__()" will have its "__hash__()" '
            'implicitly set to "None".',
            'A class that overrides "__eq__()" and does not define "__hash__()" will have its "__hash__()" '
            'implicitly set to "None"',
        ),
    ),
    _ask(
        "When is __getattr__ called instead of the default attribute access?",
        (
            'The method "__getattr__()" is called when the default attribute access fails with an "AttributeError".',
            'Called when the default attribute access fails with an "AttributeError"',
        ),
        (
            'If the attribute is found through the normal mechanism, "__getattr__()" is not called.',
            'if the attribute is found through the normal mechanism, "__getattr__()" is not called',
        ),
    ),
)
