"""The exercise of chapter 00."""

from helpers.exercises.kinds import Exercise, Mistake

count_words = Exercise(
    spec=lambda text: len(text.split()),
    cases=[("파리",), ("파리 여행",), ("나는  최근 파리 여행을 다녀왔다",), ("",), (" 여행 ",)],
    mistakes=[
        Mistake(len, "단어가 아니라 글자를 세고 있습니다.", "This counts characters, not words."),
        Mistake(
            lambda text: len(text.split(" ")),
            'split(" ")는 빈칸이 겹치면 빈 문자열도 셉니다. split()을 쓰세요.',
            'split(" ") also counts the empty strings between doubled spaces; use split().',
        ),
        Mistake(
            lambda text: text.count(" "),
            "단어가 아니라 빈칸을 세고 있습니다.",
            "This counts spaces, not words.",
        ),
    ],
)
