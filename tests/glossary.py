"""Terms that the course does not use, and what it says instead.

Some of the glossary's words are right in another sense: 딕셔너리 (Python's dict), 기울기 (of a line),
머리 (of a body), 주의 (care), 점수 (of BLEU and of a beam). 딕셔너리 is left out, the others are forbidden
only in the company that shows the course's sense.
"""

import re

BRITISH = (
    r"(?i)\b(?:neighbour|colour|favour|behaviour|grey\b|cent(?:re|red|res)\b|modell|labell|cancelled|"
    r"(?:normal|memor|initial|general|optim|special|visual|summar|recogn|token)is(?:e|ed|es|ing|ation)\b)"
)
FORBIDDEN = {  # pattern: say instead
    r"변압기|변환기": "트랜스포머",
    r"매립|삽입": "임베딩",
    r"포지셔널": "위치 인코딩",
    r"주의 ?집중|(?:자기|교차)[ -]?주의|주의 (?:메커니즘|기제|가중치|스코어|점수|헤드|층)": "어텐션",
    r"(?<![가-힣])질의(?!응답)": "쿼리",
    r"열쇠": "키",
    r"유사도 ?점수|점수 ?행렬": "스코어",
    r"점곱": "내적",
    r"(?:다중|멀티|어텐션) ?머리|(?<![가-힣])머리(?: (?:수|개수|차원|크기)|마다|별로)": "헤드",
    r"노멀라이제이션|노말라이제이션|(?:층|계층) 정규화": "레이어 정규화",
    r"사전 (?:(?:층|레이어) )?정규화": "pre-LN",
    r"사후 (?:(?:층|레이어) )?정규화": "post-LN",
    r"순방향 신경망": "피드포워드 네트워크",
    r"드랍아웃": "드롭아웃",
    r"레이어(?! 정규화)": "층",
    r"파라미터|파라메터": "매개변수",
    r"바이어스": "편향",
    r"기울기(?:가|의)? ?(?:소실|폭발|사라)|기울기 벡터": "그래디언트",
    r"(?<![가-힣])라벨": "레이블",
    r"러닝 ?레이트": "학습률",
    r"에포크": "에폭",
    r"그리디": "탐욕",
    r"벡터의 길이": "벡터의 차원",
    r"견주": "비교하다",
    r"까닭": "이유",
    r"함수의? 몸통": "함수 본문",
    BRITISH: "the American spelling",
}
ONCE = {  # a chapter may name these once, to connect them with other texts
    "룩어헤드 마스크": "인과 마스크",
    "코잘 마스크": "인과 마스크",
    "스킵 연결": "잔차 연결",
    "닷 프로덕트": "스케일드 내적 어텐션",
    "어텐션 점수": "어텐션 스코어",
}


def forbidden_terms(text):
    """What is wrong with the words of a text."""
    return [f"{match[0]}: say {say}" for term, say in FORBIDDEN.items() for match in re.finditer(term, text)]


def inconsistent_terms(text):
    """What is wrong with the words of a chapter as a whole."""
    problems = [f"{term}: name it once, then say {say}" for term, say in ONCE.items() if text.count(term) > 1]
    return problems
